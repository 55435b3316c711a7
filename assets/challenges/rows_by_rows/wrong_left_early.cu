// Threads without a result return, and no thread loads their part of the tiles.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  int b_row = blockIdx.x * 16 + ty;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int first = 0; first < k; first += 16) {
    a_tile[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.0f;
    b_tile[ty][tx] = b_row < n && first + tx < k ? b[b_row * k + first + tx] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[tx][i];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
