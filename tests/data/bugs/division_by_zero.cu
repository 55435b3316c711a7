// Thread 5 divides by zero.
// run: grid 1 block 32 out
// finds division_by_zero at [divide] block 0 thread 5
extern "C" __global__ void bug(int* out) {
  int t = threadIdx.x;
  out[t] = 100 / (t - 5);  // [divide]
}
