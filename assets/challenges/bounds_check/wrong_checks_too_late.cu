// It keeps threads from writing, but they have read past the end by then.
extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile const float* first = x;
  volatile const float* second = y;
  float sum = first[i] + second[i];
  if (i < n) out[i] = sum;
}
