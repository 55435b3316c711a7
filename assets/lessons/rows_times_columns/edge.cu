// warplens: a=float32[n * n + 16 * n + 16] formula(1), b=float32[n * n + 16 * n + 16] formula(1)
// warplens: c=float32[n, n] zero, n=100 in 1..100, block=16x16, grid=(ceil(n/16), ceil(n/16))
extern "C" __global__ void edge(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;

  float sum = 0.f;
  for (int start = 0; start < n; start += 16) {
    a_tile[y][x] = a[row * n + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
