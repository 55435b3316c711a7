// The last warp adds up through volatile memory, with a barrier of the warp after each step.
// run: grid 1 block 32 in out
extern "C" __global__ void bug(const float* in, float* out) {
  __shared__ float values[64];
  int t = threadIdx.x;
  values[t] = in[t];
  values[t + 32] = in[t + 32];
  __syncwarp();
  volatile float* s = values;
  for (int half = 32; half > 0; half /= 2) {
    float other = s[t + (t < half ? half : 0)];
    __syncwarp();
    if (t < half) s[t] += other;
    __syncwarp();
  }
  if (t == 0) out[0] = s[0];
}
