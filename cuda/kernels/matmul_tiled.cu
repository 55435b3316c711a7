// c = a * b for row-major matrices: a is m x k, b is k x n. A block computes one 16 x 16 tile of c.
// Its threads copy a tile of a and a tile of b into shared memory, where each value is read 16 times
// instead of being fetched 16 times from far away.

extern "C" __global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int tile = 16;  // the block must be 16 x 16
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  int column = blockIdx.x * tile + threadIdx.x;
  int row = blockIdx.y * tile + threadIdx.y;

  float sum = 0.f;
  for (int start = 0; start < k; start += tile) {
    int a_column = start + threadIdx.x;
    int b_row = start + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && a_column < k ? a[row * k + a_column] : 0.f;
    b_tile[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : 0.f;
    __syncthreads();  // both tiles are filled
    for (int i = 0; i < tile; ++i) sum = fmaf(a_tile[threadIdx.y][i], b_tile[i][threadIdx.x], sum);
    __syncthreads();  // no thread needs them any more
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
