// All warps read an element before a barrier. After it one reads it again while another writes it.
// run: grid 1 block 128 in out
// finds race at [write] block 0 thread 96 of in+0 against [read] block 0 thread 64
extern "C" __global__ void bug(int* in, int* out) {
  out[threadIdx.x] = in[0];
  __syncthreads();
  if (threadIdx.x == 64) out[128] = in[0];  // [read]
  if (threadIdx.x == 96) in[0] = -7;        // [write]
}
