// The kernel fills all but the last elements, then reads them.
// run: grid 1 block 64 new out n 60
// finds uninitialized at [read] block 0 thread 60 of new+240
extern "C" __global__ void bug(int* fresh, int* out, int n) {
  int t = threadIdx.x;
  if (t < n) fresh[t] = t;
  __syncthreads();
  out[t] = fresh[t];  // [read]
}
