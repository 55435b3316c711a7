// Threads without a part leave the loop, and the sum of their warp is not written.
extern "C" __global__ void starts(const int* totals, int* start, int parts) {
  __shared__ int sums[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int carry = 0;  // the sum of all iterations before: every thread has its own copy
  for (int first = 0; first < parts; first += blockDim.x) {
    int p = first + t;
    if (p >= parts) return;
    int own = totals[p];
    int sum = own;
    for (int away = 1; away < 32; away *= 2) {
      int left = __shfl_up_sync(0xffffffff, sum, away);
      if (lane >= away) sum += left;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    int before = carry;
    for (int w = 0; w < blockDim.x / 32; ++w) {
      if (w < warp) before += sums[w];
      carry += sums[w];
    }
    __syncthreads();  // before the next iteration overwrites the sums
    if (p < parts) start[p] = before + sum - own;
  }
}
