// Both sides of a branch wait for the whole warp, with different instructions.
// run: grid 1 block 32 out
// faults deadlock at [low] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16)
    value = __ballot_sync(0xffffffff, value & 1);  // [low]
  else
    value = __shfl_sync(0xffffffff, value, 0);
  out[threadIdx.x] = value;
}
