// A lane shuffles with a constant mask that leaves it out, which the hardware does not notice.
// run: grid 1 block 32 out
// finds mask at [shuffle] block 0 thread 16
extern "C" __global__ void bug(int* out) {
  int value = threadIdx.x;
  asm volatile("shfl.sync.idx.b32 %0, %0, 0, 31, 0xffff;" : "+r"(value));  // [shuffle]
  out[threadIdx.x] = value;
}
