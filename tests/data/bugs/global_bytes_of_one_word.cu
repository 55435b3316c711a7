// Blocks write whole words where each owns one byte.
// run: grid 4 block 1 out
// finds race at [write] block 1 thread 0 of out+0 against [write] block 0 thread 0
// finds race at [read] block 1 thread 0 of out+0 against [write] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int word = out[0] & ~(255 << (8 * blockIdx.x));        // [read]
  out[0] = word | (blockIdx.x + 1) << (8 * blockIdx.x);  // [write]
}
// says use atomicCAS() in a loop
// says_not __sync
