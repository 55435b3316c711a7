// Each thread tests the largest number so far and replaces it, without an atomic.
// run: grid 1 block 64 out
// finds race at [largest] block 0 thread 1 of out+0 against [largest] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int number = threadIdx.x;
  if (number > out[0]) out[0] = number;  // [largest]
}
// says use atomicMax(), atomicMin() or atomicCAS()
// says_not __sync
