// The halo of a tile is read, and only its middle was loaded.
// run: grid 1 block 32 in out
// finds uninitialized at [left] block 0 thread 0 of tile+0
extern "C" __global__ void bug(const int* in, int* out) {
  __shared__ int tile[34];
  int t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t == 0) tile[33] = 0;
  __syncthreads();
  out[t] = tile[t];  // [left]
}
