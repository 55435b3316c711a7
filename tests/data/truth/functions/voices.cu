// grid 3 block 40 words 120
// Many threads print; each line says who.
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
__device__ __noinline__ void say(int who, float what) {
  if (who % 4 == 0) printf("block %d thread %d says %.1f\n", blockIdx.x, threadIdx.x, what);
}
extern "C" __global__ void run(int* out) {
  int all = blockIdx.x * blockDim.x + threadIdx.x;
  say(all, all * 0.5f);
  if (threadIdx.x % 20 == 7) printf("odd one: %s %d\n", threadIdx.x > 20 ? "late" : "soon", all);
  out[all] = all;
}
