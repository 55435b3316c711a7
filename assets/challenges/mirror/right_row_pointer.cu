extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= width) return;
  if (row >= height) return;
  const int start = row * width;
  out[start + width - 1 - column] = source[start + column];
}
