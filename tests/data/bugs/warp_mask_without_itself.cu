// A lane votes with a constant mask that leaves it out.
// run: grid 1 block 32 out
// faults mask at [vote] block 0 thread 16
extern "C" __global__ void bug(int* out) {
  out[threadIdx.x] = __ballot_sync(0xffff, threadIdx.x & 1);  // [vote]
}
