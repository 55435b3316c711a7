// One thread turns one pixel into its opposite: dark becomes light, and each colour its complement.

extern "C" __global__ void invert(const unsigned char* in, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int pixel = y * width + x;
  for (int channel = 0; channel < 3; ++channel) out[3 * pixel + channel] = 255 - in[3 * pixel + channel];
}
