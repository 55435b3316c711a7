// All lanes read an element before and after a barrier, and one of them then writes it.
// run: grid 1 block 32 in out
// finds race at [write] block 0 thread 0 of in+0 against [read] block 0 thread 1
extern "C" __global__ void bug(int* in, int* out) {
  out[threadIdx.x] = in[0];
  __syncthreads();
  out[64 + threadIdx.x] = in[0];     // [read]
  if (threadIdx.x == 0) in[0] = -7;  // [write]
}
