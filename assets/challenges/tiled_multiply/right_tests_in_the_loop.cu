// Right: the tiles' empty places are not filled, so each product needs a test.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int start = 0; start < k; start += 16) {
    if (row < m && start + tx < k) a_tile[ty][tx] = a[row * k + start + tx];
    if (start + ty < k && column < n) b_tile[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 16; ++i) {
      if (row < m && column < n && start + i < k) sum += a_tile[ty][i] * b_tile[i][tx];
    }
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
