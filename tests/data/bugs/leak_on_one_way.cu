// free is left out on one way.
// run: grid 1 block 4 out
// finds leak at [malloc] block 0 thread 2
extern "C" __global__ void bug(int* out) {
  int* fresh = static_cast<int*>(malloc(16));  // [malloc]
  fresh[0] = threadIdx.x;
  out[threadIdx.x] = fresh[0];
  if (threadIdx.x == 2) return;
  free(fresh);
}
