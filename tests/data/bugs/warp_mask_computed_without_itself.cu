// A lane shuffles with a computed mask that leaves it out.
// run: grid 1 block 32 out n 65535
// faults mask at [shuffle] block 0 thread 16
extern "C" __global__ void bug(int* out, unsigned n) {
  out[threadIdx.x] = __shfl_sync(n, threadIdx.x, 0);  // [shuffle]
}
