// warplens: a=float32[n, n] random(1), b=float32[n, n] random(2), c=float32[n, n] zero, n=64 in 32..256
// warplens: block=16x16, threads=(n, n)
// The tile is as wide as the block, and n is a multiple of it. The launch gives the shared memory.
extern "C" __global__ void tiles(const float* a, const float* b, float* c, int n) {
  extern __shared__ float a_tile[];
  int tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
  float* b_tile = a_tile + tile * tile;
  int column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;

  float sum = 0.f;
  for (int start = 0; start < n; start += tile) {
    a_tile[y * tile + x] = a[row * n + start + x];
    b_tile[y * tile + x] = b[(start + y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
