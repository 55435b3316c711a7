// One thread adds one pair of numbers: the smallest useful kernel.
// The grid is made of whole blocks, so it usually has more threads than there are elements.

extern "C" __global__ void vector_add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];  // threads past the end have nothing to do
}
