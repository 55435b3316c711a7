// The bins are cleared without a barrier before they are counted in.
// run: grid 1 block 64 out
// finds race at [count] block 0 thread 0 of bins+4 against [clear] block 0 thread 1
extern "C" __global__ void bug(int* out) {
  __shared__ int bins[64];
  int t = threadIdx.x;
  bins[t] = 0;                   // [clear]
  atomicAdd(&bins[(t ^ 1)], 1);  // [count]
  __syncthreads();
  out[t] = bins[t];
}
// says between line
// says_not use atomicAdd
