// A stencil that writes into its input.
// run: grid 2 block 32 out
// finds race at [read] block 1 thread 0 of out+124 against [write] block 0 thread 31
extern "C" __global__ void bug(int* out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int left = i > 0 ? out[i - 1] : 0;  // [read]
  __syncwarp();
  out[i] = left + 1;  // [write]
}
// says write to a second array
// says waits for one block only
// says_not __syncwarp
