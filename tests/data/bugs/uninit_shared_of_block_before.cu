// What the block before left in shared memory is not there any more.
// run: grid 2 block 32 out
// finds uninitialized at [read] block 1 thread 0 of tile+0
extern "C" __global__ void bug(int* out) {
  __shared__ int tile[32];
  int t = threadIdx.x;
  if (blockIdx.x == 0) tile[t] = t;
  __syncthreads();
  out[blockIdx.x * 32 + t] = tile[t];  // [read]
}
