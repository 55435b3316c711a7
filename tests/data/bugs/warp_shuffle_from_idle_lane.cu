// Only the even lanes shuffle, and read the odd ones.
// run: grid 1 block 32 out
// finds shuffle at [shuffle] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int t = threadIdx.x;
  if (t % 2 == 0) out[t] = __shfl_sync(0x55555555, t, t + 1);  // [shuffle]
}
