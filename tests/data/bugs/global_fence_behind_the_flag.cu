// The fence stands behind the flag in place of in front of it.
// run: grid 2 block 32 out
// finds race at [read] block 1 thread 0 of out+0 against [write] block 0 thread 0
__device__ volatile int flag;
extern "C" __global__ void bug(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = 42;  // [write]
    flag = 1;
    __threadfence();
  } else {
    while (flag == 0) {
    }
    out[1] = out[0];  // [read]
  }
}
