// warplens: x=float32[8 * n] formula(i - 10 * floor(i / 10)), out=float32[8 * n] zero, n=16384, block=256, grid=ceil(n/256)
extern "C" __global__ void fifth(const float* x, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= n) return;

  float value[8];
  #pragma unroll 1
  for (int k = 0; k < 8; ++k) value[k] = x[k * n + thread];
  #pragma unroll 1
  for (int k = 0; k < 8; ++k) out[k * n + thread] = value[7 - k];
}
