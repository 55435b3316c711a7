extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 64 + threadIdx.y;
  float sums[4] = {0, 0, 0, 0};  // of the rows row, row + 16, row + 32 and row + 48
  for (int i = 0; i < k; ++i)
    for (int r = 0; r < 4; ++r) sums[r] += a[(row + 16 * r) * k + i] * b[i * n + column];
  for (int r = 0; r < 4; ++r) c[(row + 16 * r) * n + column] = sums[r];
}
