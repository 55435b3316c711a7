// Additions are lost.
extern "C" __global__ void multiply(const int* a, const int* b, int* c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; ++k) c[i + k] += a[i] * b[k];
}
