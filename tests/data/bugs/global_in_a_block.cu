// Threads of one block exchange values through global memory without a barrier.
// run: grid 1 block 64 out
// finds race at [write] block 0 thread 32 of out+128 against [read] block 0 thread 31
extern "C" __global__ void bug(int* out) {
  int t = threadIdx.x;
  out[t] = t;  // [write]
  __syncwarp();
  out[64 + t] = out[63 - t];  // [read]
}
// says Put __syncthreads() between line
// says_not __syncwarp
// says_not __threadfence
