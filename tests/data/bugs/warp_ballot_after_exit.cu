// A ballot names lanes that have left.
// run: grid 1 block 32 out n 8
// finds mask at [vote] block 0 thread 0
extern "C" __global__ void bug(int* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x & 1);  // [vote]
}
