// Infinity divided by infinity.
extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns, int heat) {
  if (threadIdx.x > 0) return;
  const float* row = x + blockIdx.x * columns;
  float* result = out + blockIdx.x * columns;
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += expf(heat * row[c]);
  for (int c = 0; c < columns; ++c) result[c] = expf(heat * row[c]) / sum;
}
