// A neighbour's element is read before a barrier has passed.
// run: grid 1 block 64 out
// finds race at [read] block 0 thread 0 of tile+4 against [write] block 0 thread 1
// finds uninitialized at [read] block 0 thread 31 of tile+128
extern "C" __global__ void bug(int* out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t;                  // [write]
  out[t] = tile[(t + 1) % 64];  // [read]
}
// says Put __syncthreads() between line
// says_not __syncwarp
