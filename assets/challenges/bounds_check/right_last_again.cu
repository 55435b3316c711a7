// Right, but the threads without an element do the last one again, so they read memory for nothing.
extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = min(int(blockIdx.x * blockDim.x + threadIdx.x), n - 1);
  out[i] = x[i] + y[i];
}
