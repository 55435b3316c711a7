// Half of a warp goes past a __syncwarp() that names it, works on and exits.
// run: grid 1 block 32 in out
// finds mask at [sync] block 0 thread 0
extern "C" __global__ void bug(const int* in, int* out) {
  int t = threadIdx.x;
  if (t < 16) {
    out[t] = in[t];
    __syncwarp();  // [sync]
    out[t + 32] = out[15 - t];
  }
  out[t + 64] = t;
}
// says went past it
