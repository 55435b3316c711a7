// The remainder of a division by a size of zero.
// run: grid 2 block 32 out n 0
// finds division_by_zero at [wrap] block 0 thread 0
extern "C" __global__ void bug(int* out, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = i % n;  // [wrap]
}
