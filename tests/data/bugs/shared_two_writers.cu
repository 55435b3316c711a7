// Two threads write different values to one element.
// run: grid 1 block 64 out
// finds race at [write] block 0 thread 32 of slot+0 against [write] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ int slot[32];
  slot[threadIdx.x % 32] = threadIdx.x;  // [write]
  __syncthreads();
  out[threadIdx.x] = slot[threadIdx.x % 32];
}
// says Let one thread write
// says_not __sync
