// Right, with a loop that runs once at most: its bookkeeping costs instructions.
extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = x[i] + y[i];
}
