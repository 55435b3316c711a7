// Some lanes leave out the barrier, and go on.
// run: grid 1 block 64 in out n 50
// faults barrier_divergence at [barrier] block 0 thread 32
extern "C" __global__ void bug(const int* in, int* out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    out[t] = in[t];
    __syncthreads();  // [barrier]
  }
  out[128 + t] = t;
}
// says that 14 of its warp's lanes do not reach with it
