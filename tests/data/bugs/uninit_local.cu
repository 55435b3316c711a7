// An element of a local array is read that was not written.
// run: grid 1 block 32 out n 7
// finds uninitialized at [read] block 0 thread 0
extern "C" __global__ void bug(int* out, int n) {
  int values[8];
  for (int i = 0; i < n; ++i) values[(i * 3) & 7] = i;
  out[threadIdx.x] = values[(n * 3) & 7];  // [read]
}
