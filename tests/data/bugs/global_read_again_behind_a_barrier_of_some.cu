// All warps read an element. Four of the five then meet at a barrier, behind which one of them reads it again
// while another writes it.
// run: grid 1 block 160 in out
// finds race at [write] block 0 thread 96 of in+0 against [read] block 0 thread 64
extern "C" __global__ void bug(int* in, int* out) {
  out[threadIdx.x] = in[0];
  if (threadIdx.x < 128) asm volatile("bar.sync 1, 128;" ::: "memory");
  if (threadIdx.x == 64) out[160] = in[0];  // [read]
  if (threadIdx.x == 96) in[0] = -7;        // [write]
}
