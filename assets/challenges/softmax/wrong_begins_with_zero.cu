// If all exponents are far below zero, all powers are 0.
extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns, int heat) {
  if (threadIdx.x > 0) return;
  const float* row = x + blockIdx.x * columns;
  float* result = out + blockIdx.x * columns;
  float largest = 0;
  for (int c = 0; c < columns; ++c) largest = fmaxf(largest, heat * row[c]);
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += expf(heat * row[c] - largest);
  for (int c = 0; c < columns; ++c) result[c] = expf(heat * row[c] - largest) / sum;
}
