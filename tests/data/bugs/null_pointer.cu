// A null pointer is written through.
// run: grid 1 block 32 out
// faults out_of_bounds at [write] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int* nothing = reinterpret_cast<int*>(out[0] * 4096ll);
  nothing[threadIdx.x] = 1;  // [write]
}
