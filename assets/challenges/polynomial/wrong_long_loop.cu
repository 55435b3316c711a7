// It reads before the first element.
extern "C" __global__ void multiply(const int* a, const int* b, int* c, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n + m - 1) return;
  int sum = 0;
  for (int i = j - m + 1; i <= min(j, n - 1); ++i) sum += a[i] * b[j - i];
  c[j] = sum;
}
