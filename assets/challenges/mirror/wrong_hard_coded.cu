// Right for blocks of 16 x 16 only.
extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = source[y * width + (width - 1 - x)];
}
