// c = a * b for row-major matrices: a is m x k, b is k x n. One thread computes one element of c and fetches
// a whole row of a and a whole column of b for it, each value far away and again and again.

extern "C" __global__ void matmul_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0.f;
  for (int i = 0; i < k; ++i) sum = fmaf(a[row * k + i], b[i * n + column], sum);
  c[row * n + column] = sum;
}
