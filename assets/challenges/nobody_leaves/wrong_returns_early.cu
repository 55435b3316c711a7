// Lanes without an element exit, and others read their registers.
extern "C" __global__ void sums(const int* x, int* total, int n) {
  __shared__ int of_warps[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  int value = x[i];
  for (int away = 16; away > 0; away /= 2) value += __shfl_down_sync(0xffffffff, value, away);
  if (t % 32 == 0) of_warps[t / 32] = value;
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) sum += of_warps[w];
    total[blockIdx.x] = sum;
  }
}
