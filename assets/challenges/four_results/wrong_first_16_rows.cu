// Three of four results are missing.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 64 + threadIdx.y;
  if (column >= n) return;
  for (int r = 0; r < 1; ++r) {
    if (row + 16 * r >= m) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[(row + 16 * r) * k + i] * b[i * n + column];
    c[(row + 16 * r) * n + column] = sum;
  }
}
