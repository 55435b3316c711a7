// Three small kernels, one after the other, each an operation on every element: out = sqrt(2 * (x + y)).

extern "C" __global__ void add(const float* x, const float* y, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = x[i] + y[i];
}

extern "C" __global__ void scale(const float* x, float factor, float* scaled, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = factor * x[i];
}

extern "C" __global__ void root(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sqrtf(x[i]);
}
