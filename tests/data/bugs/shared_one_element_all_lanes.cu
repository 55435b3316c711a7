// All lanes of a warp write their own number to one element.
// run: grid 1 block 32 out
// finds race at [write] block 0 thread 1 of last+0 against [write] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ int last;
  last = threadIdx.x;  // [write]
  __syncthreads();
  out[threadIdx.x] = last;
}
// says Let one thread write
// says_not __sync
