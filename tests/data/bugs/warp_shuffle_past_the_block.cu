// A block of 20 threads reduces as if it had 32 lanes.
// run: grid 1 block 20 out
// finds shuffle at [shuffle] block 0 thread 4
extern "C" __global__ void bug(int* out) {
  int value = threadIdx.x;
#pragma unroll 1
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);  // [shuffle]
  out[threadIdx.x] = value;
}
