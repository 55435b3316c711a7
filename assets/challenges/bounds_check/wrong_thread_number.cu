// threadIdx.x is the number in the block, not in the grid.
extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < n) out[i] = x[i] + y[i];
}
