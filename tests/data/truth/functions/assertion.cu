// grid 2 block 8 words 16
// An assertion that one thread breaks.
#ifndef __CUDACC_RTC__
#include <cassert>
#endif
__device__ __noinline__ int checked(int x) {
  assert(x != 11 && "eleven is not allowed");
  return x + 1;
}
extern "C" __global__ void run(int* out) {
  int all = blockIdx.x * blockDim.x + threadIdx.x;
  out[all] = checked(all);
}
