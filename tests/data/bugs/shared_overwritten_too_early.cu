// The tile is loaded anew before all have read it: a barrier at the loop's end is missing.
// run: grid 1 block 64 out
// finds race at [write] block 0 thread 32 of tile+128 against [read] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ int tile[64];
  int t = threadIdx.x, sum = 0;
#pragma unroll 1
  for (int round = 0; round < 4; ++round) {
    tile[t] = t + round;  // [write]
    __syncthreads();
    sum += tile[t ^ 32];  // [read]
  }
  out[t] = sum;
}
// says The loop needs a second __syncthreads() at its end
// says_not Put
