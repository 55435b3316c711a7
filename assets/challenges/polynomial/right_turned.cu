// A thread loads its own element first, then the halo; b is stored in reverse order.
extern "C" __global__ void multiply(const int* a, const int* b, int* c, int n, int m) {
  __shared__ int tile[288], turned[33];
  int t = threadIdx.x, j = blockIdx.x * blockDim.x + t;
  tile[t + m - 1] = j < n ? a[j] : 0;
  for (int h = t; h < m - 1; h += blockDim.x) {
    int from = j - t - (m - 1) + h;
    int value = 0;
    if (from >= 0 && from < n) value = a[from];
    tile[h] = value;
  }
  for (int k = t; k < m; k += blockDim.x) turned[m - 1 - k] = b[k];
  __syncthreads();
  if (j >= n + m - 1) return;
  int sum = 0;
  for (int k = 0; k < m; ++k) sum += tile[t + k] * turned[k];
  c[j] = sum;
}
