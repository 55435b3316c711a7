// Two phases of a cooperative kernel without grid.sync() in between.
// run: grid 2 block 32 cooperative out
// finds race at [write] block 1 thread 0 of out+128 against [read] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = i;  // [write]
  __syncthreads();
  out[64 + i] = out[i ^ 32];  // [read]
}
// says grid.sync()
// says_not Put __sync
