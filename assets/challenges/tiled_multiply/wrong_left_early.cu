// Threads without a result return, and no thread loads their part of the tiles.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int tile = 0; tile < (k + 15) / 16; ++tile) {
    int a_column = tile * 16 + tx, b_row = tile * 16 + ty;
    a_tile[ty][tx] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    b_tile[ty][tx] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
