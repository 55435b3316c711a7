// An index that is one too large, into an array of the thread's own at the end of its local memory.
// run: grid 1 block 32 in out n 1024
// faults out_of_bounds at [write] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out, int n) {
  volatile int own[8];
  for (int i = 0; i < 8; ++i) own[i] = in[i];
  own[n] = 1;  // [write]
  out[threadIdx.x] = own[in[0] & 7];
}
