// All blocks add to one element by volatile reads and writes, which are no step together.
// run: grid 4 block 1 out
// finds race at [add] block 1 thread 0 of out+0 against [add] block 0 thread 0
extern "C" __global__ void bug(volatile int* out) {
  out[0] = out[0] + blockIdx.x;  // [add]
}
// says use atomicAdd()
// says_not __sync
