// An index so far beyond the end that it lands in the next array.
// run: grid 1 block 32 in out n 1280
// finds wrong_allocation at [read] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out, int n) {
  out[threadIdx.x] = in[threadIdx.x + n];  // [read]
}
