__kernel void matmul_naive(__global const float* a, __global const float* b, __global float* c, int m, int n, int k) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  if (row >= m || column >= n) return;

  float sum = 0.f;
  for (int i = 0; i < k; ++i) sum = fma(a[row * k + i], b[i * n + column], sum);
  c[row * n + column] = sum;
}
