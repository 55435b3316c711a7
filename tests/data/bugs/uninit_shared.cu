// Shared memory is read where nobody has written.
// run: grid 1 block 64 out
// finds uninitialized at [read] block 0 thread 48 of tile+192
extern "C" __global__ void bug(int* out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  if (t < 48) tile[t] = t;
  __syncthreads();
  out[t] = tile[t];  // [read]
}
