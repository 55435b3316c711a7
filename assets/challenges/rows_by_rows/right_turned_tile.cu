// The tile of b is transposed while it is stored, in rows of 18 words: stores and reads have no conflicts.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[16 * 16], of_b[16 * 18];
  const int x = threadIdx.x, y = threadIdx.y;
  const float* a_row = a + (blockIdx.y * 16 + y) * k;
  const float* b_row = b + (blockIdx.x * 16 + y) * k;
  const bool has_a = blockIdx.y * 16 + y < m, has_b = blockIdx.x * 16 + y < n;
  float sum = 0;
  for (int l = x; l - x < k; l += 16) {
    float from_a = 0, from_b = 0;
    if (has_a && l < k) from_a = a_row[l];
    if (has_b && l < k) from_b = b_row[l];
    of_a[y * 16 + x] = from_a;
    of_b[x * 18 + y] = from_b;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += of_a[y * 16 + i] * of_b[i * 18 + x];
    __syncthreads();
  }
  if (has_a && blockIdx.x * 16 + x < n) c[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}
