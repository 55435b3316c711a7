// A blur of (2 * radius + 1) x (2 * radius + 1) pixels, through a tile. way 0: all at once; 1: rows, then columns.
// warplens: in=float32[width, height] random(1), out=float32[width, height] zero, width=128, height=128
// warplens: radius=4 in 1..8, way=1 in 0..1, block=16x16, grid=(width/16, height/16)
extern "C" __global__ void passes(const float* in, float* out, int width, int height, int radius, int way) {
  __shared__ float tile[32][48], rows[32][16];
  int side = 16 + 2 * radius, x = threadIdx.x, y = threadIdx.y;
  int left = blockIdx.x * 16 - radius, top = blockIdx.y * 16 - radius;
  for (int row = y; row < side; row += 16)
    for (int column = x; column < side; column += 16)
      tile[row][column] =
          in[min(max(top + row, 0), height - 1) * width + min(max(left + column, 0), width - 1)];
  __syncthreads();

  float sum = 0.f;
  if (way == 0) {
    for (int dy = 0; dy <= 2 * radius; ++dy)
      for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[y + dy][x + dx];
  } else {
    for (int row = y; row < side; row += 16) {
      float of_row = 0.f;
      for (int dx = 0; dx <= 2 * radius; ++dx) of_row += tile[row][x + dx];
      rows[row][x] = of_row;
    }
    __syncthreads();
    for (int dy = 0; dy <= 2 * radius; ++dy) sum += rows[y + dy][x];
  }
  out[(top + radius + y) * width + left + radius + x] = sum / ((2 * radius + 1) * (2 * radius + 1));
}
