// warplens: data=float32[n] formula(i == 32 ? 90 : 0) output, out=float32[n] zero, n=64 in 32..64, block=64, grid=1
extern "C" __global__ void smooth(float* data, float* out, int n) {
  int i = threadIdx.x;
  if (i < 1 || i >= n - 1) return;

  float left = data[i - 1];
  float right = data[i + 1];
  data[i] = (left + data[i] + right) / 3.f;
}
