// A store that lands in another argument's array.
// run: grid 1 block 32 in out n -1280
// finds wrong_allocation at [write] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out, int n) {
  int i = threadIdx.x;
  out[i + n] = in[i];  // [write]
}
