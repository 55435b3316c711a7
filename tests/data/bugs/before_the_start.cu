// The left neighbour of the first element.
// run: grid 1 block 32 in out
// faults out_of_bounds at [read] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out) {
  int i = threadIdx.x;
  out[i] = in[i - 1];  // [read]
}
