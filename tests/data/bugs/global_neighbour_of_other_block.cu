// A block reads what another one writes in the same launch.
// run: grid 2 block 64 out
// finds race at [read] block 1 thread 0 of out+252 against [write] block 0 thread 63
extern "C" __global__ void bug(int* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = i;  // [write]
  __syncthreads();
  if (threadIdx.x == 0 && i > 0) out[128 + i] = out[i - 1];  // [read]
}
// says launch a second kernel
// says waits for one block only
// says_not Put __sync
