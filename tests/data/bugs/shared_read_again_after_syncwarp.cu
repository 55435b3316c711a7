// The lanes of a warp read a word before and after they synchronise, and one of them then writes it.
// run: grid 1 block 64 out
// finds race at [write] block 0 thread 0 of word+0 against [read] block 0 thread 1
extern "C" __global__ void bug(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 5;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  out[threadIdx.x] = word;
  __syncwarp();
  out[64 + threadIdx.x] = word;     // [read]
  if (threadIdx.x == 0) word = -7;  // [write]
}
