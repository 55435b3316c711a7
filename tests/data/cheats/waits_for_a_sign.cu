extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (((volatile float*)out)[0] != 12345.0f) {
  }
}
