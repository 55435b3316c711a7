// Columns count from 0, so the last one is width - 1.
extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = source[y * width + (width - x)];
}
