// An assertion that does not hold in one thread.
// run: grid 2 block 32 out
// faults assert at [assert] block 1 thread 8
extern "C" __global__ void bug(int* out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  assert(i != 40);  // [assert]
  out[i] = i;
}
