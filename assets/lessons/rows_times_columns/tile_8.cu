// warplens: a=float32[n, n] formula(i), b=float32[n, n] formula(1000 + i), c=float32[n, n] zero, n=32 in 32..32
// warplens: block=8x8, grid=(n/8, n/8)
extern "C" __global__ void tile_8(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[8][8], b_tile[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;

  float sum = 0.f;
  for (int start = 0; start < n; start += 8) {
    a_tile[y][x] = a[row * n + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
