extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float left[1024];
  if (i < n) out[i] = left[threadIdx.x % 1024];
}
