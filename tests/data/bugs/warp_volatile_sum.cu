// The last steps of a sum without barriers, as before Volta: volatile does not keep lanes in step.
// run: grid 1 block 32 in out
// finds race at [two] block 0 thread 0 of s+64 against [one] block 0 thread 16
// finds race at [two] block 0 thread 16 of s+64 against [two] block 0 thread 0
extern "C" __global__ void bug(const float* in, float* out) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncthreads();
  s[t] += s[t + 32];  // [one]
  s[t] += s[t + 16];  // [two]
  __syncthreads();
  if (t == 0) out[0] = s[0];
}
// says __syncwarp()
