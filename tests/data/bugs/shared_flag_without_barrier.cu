// A flag is set by one thread and tested by the others, with nothing in between.
// run: grid 1 block 64 in out
// finds race at [set] block 0 thread 0 of found+0 against [test] block 0 thread 1
// finds uninitialized at [test] block 0 thread 1 of found+0
extern "C" __global__ void bug(const int* in, int* out) {
  __shared__ int found;
  int t = threadIdx.x;
  if (t == 0) found = in[0] + 1;  // [set]
  out[t] = found;                 // [test]
}
// says Put __syncthreads() between line
// says_not __syncwarp
