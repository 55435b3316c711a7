// A shared array is too small by one.
// run: grid 1 block 32 out
// faults out_of_bounds at [write] block 0 thread 28
extern "C" __global__ void bug(int* out) {
  __shared__ volatile int tile[32];
  tile[threadIdx.x + 4] = threadIdx.x;  // [write]
  out[threadIdx.x] = tile[threadIdx.x];
}
