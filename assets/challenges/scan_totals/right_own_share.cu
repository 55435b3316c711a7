// A thread scans 16 totals that lie together; they come and go through shared memory.
extern "C" __global__ void starts(const int* totals, int* start, int parts) {
  __shared__ int tile[16 * 256], shares[256], before_all;
  int t = threadIdx.x, threads = blockDim.x;
  if (t == 0) before_all = 0;
  for (int first = 0; first < parts; first += 16 * threads) {
    for (int k = t; k < 16 * threads; k += threads) tile[k] = first + k < parts ? totals[first + k] : 0;
    __syncthreads();
    int share = 0;
    for (int k = 0; k < 16; ++k) share += tile[16 * t + k];
    shares[t] = share;
    __syncthreads();
    if (t < 32) {
      int each = threads / 32, sum = 0;
      for (int k = 0; k < each; ++k) sum += shares[each * t + k];
      int up_to = sum;
      for (int away = 1; away < 32; away *= 2) {
        int left = __shfl_up_sync(0xffffffff, up_to, away);
        if (t >= away) up_to += left;
      }
      int before = before_all + up_to - sum;
      __syncwarp();
      if (t == 31) before_all += up_to;
      for (int k = 0; k < each; ++k) {
        int own = shares[each * t + k];
        shares[each * t + k] = before;
        before += own;
      }
    }
    __syncthreads();
    int before = shares[t];
    for (int k = 0; k < 16; ++k) {
      int own = tile[16 * t + k];
      tile[16 * t + k] = before;
      before += own;
    }
    __syncthreads();
    for (int k = t; k < 16 * threads && first + k < parts; k += threads) start[first + k] = tile[k];
  }
}
