// Blocks overlap by one element.
// run: grid 2 block 64 out
// finds race at [write] block 1 thread 0 of out+252 against [write] block 0 thread 63
extern "C" __global__ void bug(int* out) {
  out[blockIdx.x * 63 + threadIdx.x] = blockIdx.x * 64 + threadIdx.x;  // [write]
}
// says let each block write elements of its own
// says_not __sync
