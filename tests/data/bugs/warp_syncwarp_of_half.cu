// __syncwarp() names the lower half only, and the upper half reads.
// run: grid 1 block 32 out
// finds race at [read] block 0 thread 16 of box+0 against [write] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ int box[32];
  int t = threadIdx.x;
  box[t] = t;  // [write]
  if (t < 16) {
    __syncwarp(0xffff);
  } else {
    out[t] = box[t - 16];  // [read]
  }
}
