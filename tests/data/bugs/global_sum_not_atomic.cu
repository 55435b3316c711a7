// All blocks add to one element without an atomic.
// run: grid 4 block 1 out
// finds race at [add] block 1 thread 0 of out+0 against [add] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  out[0] += blockIdx.x;  // [add]
}
// says use atomicAdd()
// says_not __sync
// says_not grid.sync
