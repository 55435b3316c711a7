// One thread raises the flag for a block whose other warps have not been waited for.
// run: grid 2 block 64 out
// finds race at [read] block 1 thread 32 of out+128 against [write] block 0 thread 32
__device__ volatile int flag;
extern "C" __global__ void bug(int* out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    out[t] = t;  // [write]
    if (t == 0) {
      __threadfence();
      flag = 1;
    }
  } else {
    if (t == 0) {
      while (flag == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[64 + t] = out[t];  // [read]
  }
}
