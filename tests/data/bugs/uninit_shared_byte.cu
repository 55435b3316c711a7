// Three bytes of a word are written, all four are read.
// run: grid 1 block 32 out
// finds uninitialized at [read] block 0 thread 0 of raw+3
extern "C" __global__ void bug(int* out) {
  __shared__ int raw[32];
  int t = threadIdx.x;
  unsigned char* bytes = reinterpret_cast<unsigned char*>(raw + t);
  bytes[0] = t;
  bytes[1] = t;
  bytes[2] = t;
  __syncwarp();
  out[t] = raw[t];  // [read]
}
