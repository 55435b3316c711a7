// Dynamic shared memory, a barrier too few.
// run: grid 2 block 64 shared 256 out
// finds race at [read] block 0 thread 32 of tile+124 against [write] block 0 thread 31
extern __shared__ int tile[];
extern "C" __global__ void bug(int* out) {
  int t = threadIdx.x;
  tile[t] = t;  // [write]
  __syncwarp();
  out[blockIdx.x * 64 + t] = tile[t == 0 ? 0 : t - 1];  // [read]
}
// says Put __syncthreads() between line
// says_not __syncwarp
