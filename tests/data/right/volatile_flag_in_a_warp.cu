// The lanes of a warp wait for a flag that one of them sets. The data have a fence.
// run: grid 1 block 32 out
extern "C" __global__ void bug(int* out) {
  __shared__ volatile int flag;
  __shared__ int data;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 5) {
    data = 7;
    __threadfence_block();
    flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence_block();
    out[t] = data;
  }
}
