// Lanes exchange values through shared memory without __syncwarp().
// run: grid 1 block 32 out
// finds race at [read] block 0 thread 0 of box+124 against [write] block 0 thread 31
extern "C" __global__ void bug(int* out) {
  __shared__ int box[32];
  int t = threadIdx.x;
  box[t] = t;            // [write]
  out[t] = box[31 - t];  // [read]
}
// says Put __syncwarp() between line
// says need not run in step
// says_not __syncthreads
