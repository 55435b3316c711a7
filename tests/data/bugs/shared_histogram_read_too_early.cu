// The bins are read while others still count.
// run: grid 1 block 64 out
// finds race at [count] block 0 thread 32 of bins+0 against [read] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ int bins[32];
  int t = threadIdx.x;
  if (t < 32) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[t % 32], 1);  // [count]
  out[t] = bins[t % 32];        // [read]
}
// says Put __syncthreads() between line
// says_not use atomicAdd
