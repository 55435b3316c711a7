// Threads beyond the end return, and the others shuffle with all lanes.
// run: grid 1 block 32 out n 20
// finds shuffle at [shuffle] block 0 thread 4
extern "C" __global__ void bug(int* out, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  int value = t + __shfl_down_sync(0xffffffff, t, 16);  // [shuffle]
  out[t] = value;
}
