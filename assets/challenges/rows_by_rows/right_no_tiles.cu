extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[column * k + l];
  c[row * n + column] = sum;
}
