// Right: neighbouring threads do neighbouring bytes, but only as many as a block is wide.
extern "C" __global__ void invert(unsigned char* pixels, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char* row = pixels + 3 * width * y;
  for (int third = 0; third < 3; ++third) row[third * width + x] = 255 - row[third * width + x];
}
