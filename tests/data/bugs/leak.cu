// malloc without free.
// run: grid 2 block 2 out
// finds leak at [malloc] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  int* fresh = static_cast<int*>(malloc(16));  // [malloc]
  fresh[0] = 1;
  out[blockIdx.x * 2 + threadIdx.x] = fresh[0];
}
