// Each thread has a number; a second shuffle adds the sums of the warps.
extern "C" __global__ void sums(const int* x, int* total, int n) {
  __shared__ int of_warps[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int value = i < n ? x[i] : 0;
  for (int away = 16; away > 0; away /= 2) value += __shfl_down_sync(0xffffffff, value, away);
  if (t % 32 == 0) of_warps[t / 32] = value;
  __syncthreads();
  if (t >= 32) return;
  int sum = t < blockDim.x / 32 ? of_warps[t] : 0;
  for (int away = 4; away > 0; away /= 2) sum += __shfl_down_sync(0xffffffff, sum, away);
  if (t == 0) total[blockIdx.x] = sum;
}
