extern "C" __global__ void transpose(const int* source, int* out, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = source[y * width + x];
}
