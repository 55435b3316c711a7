// Threads beyond the end return before a barrier: it waits for those that have not exited.
// run: grid 2 block 64 in out n 50
extern "C" __global__ void bug(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  if (t >= n) return;
  for (int round = 0; round < 3; ++round) {
    tile[t] = in[t] + round;
    __syncthreads();
    if (blockIdx.x == 0) out[t] = tile[n - 1 - t];
    __syncthreads();
  }
}
