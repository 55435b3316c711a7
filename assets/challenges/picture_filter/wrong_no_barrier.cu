// It reads what other threads have not loaded yet.
extern "C" __global__ void weigh(const int* picture, const int* weights, int* out, int width, int height) {
  __shared__ int tile[18 * 18], factors[9];
  int columns = blockDim.x + 2, rows = blockDim.y + 2;
  int left = int(blockIdx.x * blockDim.x) - 1, top = int(blockIdx.y * blockDim.y) - 1;
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  for (int place = t; place < columns * rows; place += blockDim.x * blockDim.y) {
    int row = max(0, min(top + place / columns, height - 1));
    int column = max(0, min(left + place % columns, width - 1));
    tile[place] = picture[row * width + column];
  }
  for (int k = t; k < 9; k += blockDim.x * blockDim.y) factors[k] = weights[k];
  int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      sum += factors[3 * dy + dx] * tile[(threadIdx.y + dy) * columns + threadIdx.x + dx];
  out[y * width + x] = sum;
}
