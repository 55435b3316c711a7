// The bounds check is missing.
// run: grid 2 block 200 out
// faults out_of_bounds at [write] block 1 thread 56
extern "C" __global__ void bug(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;  // [write]
}
