extern "C" __global__ void scan(const int* x, int* out, int* totals, int* ready, int* taken, int n) {
  __shared__ int sums[8];
  __shared__ int mine, before;
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) mine = atomicAdd(taken, 1);
  __syncthreads();
  int p = mine;
  int i = p * blockDim.x + t;
  int sum = i < n ? x[i] : 0;
  for (int away = 1; away < 32; away *= 2) {
    int left = __shfl_up_sync(0xffffffff, sum, away);
    if (lane >= away) sum += left;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += sums[w];
  if (t == blockDim.x - 1) {  // its sum is that of the whole part
    int from = 0;
    if (p > 0) {
      while (atomicAdd(&ready[p - 1], 0) == 0) {
      }
      __threadfence();
      from = totals[p - 1];
    }
    totals[p] = from + sum;
    __threadfence();
    atomicExch(&ready[p], 1);
    before = from;
  }
  __syncthreads();
  if (i < n) out[i] = before + sum;
}
