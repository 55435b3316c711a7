// Rows and columns of c are swapped at the edge.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  int b_row = blockIdx.x * 16 + ty;
  float sum = 0;
  for (int first = 0; first < k; first += 16) {
    a_tile[ty][tx] = row < n && first + tx < k ? a[min(row * k + first + tx, m * k - 1)] : 0.0f;
    b_tile[ty][tx] = b_row < m && first + tx < k ? b[min(b_row * k + first + tx, n * k - 1)] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[tx][i];
    __syncthreads();
  }
  if (row < n && column < m) c[min(row * n + column, m * n - 1)] = sum;
}
