// Threads beyond the end return, and the masks still name them: only those that have not exited need come.
// run: grid 1 block 32 in out n 20
extern "C" __global__ void bug(const int* in, int* out, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  unsigned odd = __ballot_sync(0xffffffff, t & 1);
  out[t] = in[t] + odd;
  __syncwarp();
  int next = out[n - 1 - t] + __shfl_sync(0xffffffff, t, 0);
  __syncwarp();
  out[t] = next;
}
