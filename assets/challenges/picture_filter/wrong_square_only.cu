// Width and height are swapped.
extern "C" __global__ void weigh(const int* picture, const int* weights, int* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int row = max(0, min(y + dy, width - 1)), column = max(0, min(x + dx, height - 1));
      sum += weights[3 * (dy + 1) + dx + 1] * picture[row * width + column];
    }
  out[y * width + x] = sum;
}
