// It subtracts the largest x, which is not the largest exponent if heat is negative.
extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns, int heat) {
  if (threadIdx.x > 0) return;
  const float* row = x + blockIdx.x * columns;
  float* result = out + blockIdx.x * columns;
  float largest = row[0];
  for (int c = 1; c < columns; ++c) largest = fmaxf(largest, row[c]);
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += expf(heat * (row[c] - largest));
  for (int c = 0; c < columns; ++c) result[c] = expf(heat * (row[c] - largest)) / sum;
}
