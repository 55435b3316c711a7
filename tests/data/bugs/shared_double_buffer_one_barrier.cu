// Two tiles are swapped, but the same one is read and written between two barriers.
// run: grid 1 block 64 out
// finds race at [read] block 0 thread 32 of tiles+380 against [write] block 0 thread 31
extern "C" __global__ void bug(int* out) {
  __shared__ int tiles[2][64];
  int t = threadIdx.x, sum = 0;
  tiles[0][t] = t;
  tiles[1][t] = t;
  __syncthreads();
#pragma unroll 1
  for (int round = 0; round < 4; ++round) {
    sum += tiles[1][63 - t];  // [read]
    tiles[1][t] = sum;        // [write]
    __syncthreads();
  }
  out[t] = sum;
}
// says Put __syncthreads() between line
// says_not another one
