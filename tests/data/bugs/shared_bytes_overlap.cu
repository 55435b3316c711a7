// A word is written over bytes that another thread has written.
// run: grid 1 block 64 out
// finds race at [word] block 0 thread 32 of raw+0 against [byte] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  __shared__ int raw[64];
  int t = threadIdx.x;
  if (t < 32) reinterpret_cast<unsigned char*>(raw)[4 * t] = 7;  // [byte]
  if (t >= 32) raw[t - 32] = t;                                  // [word]
  __syncthreads();
  out[t] = raw[t % 32];
}
