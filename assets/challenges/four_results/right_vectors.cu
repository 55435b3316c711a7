// The tile of a is transposed, with its rows next to each other, so that one request of 16 bytes loads all
// four numbers of a.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float4 of_a[16][17];  // [i][ty]: rows ty, ty + 16, ty + 32, ty + 48
  __shared__ float of_b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, row = blockIdx.y * 64 + ty;
  float4 sums = make_float4(0, 0, 0, 0);
  for (int first = 0; first < k; first += 16) {
    const int i = first + tx;
    float4 four = make_float4(0, 0, 0, 0);
    if (i < k) {
      if (row < m) four.x = a[row * k + i];
      if (row + 16 < m) four.y = a[(row + 16) * k + i];
      if (row + 32 < m) four.z = a[(row + 32) * k + i];
      if (row + 48 < m) four.w = a[(row + 48) * k + i];
    }
    of_a[tx][ty] = four;
    of_b[ty][tx] = first + ty < k && column < n ? b[(first + ty) * n + column] : 0;
    __syncthreads();
    for (int l = 0; l < 16; ++l) {
      const float4 rows = of_a[l][ty];
      const float factor = of_b[l][tx];
      sums.x += rows.x * factor;
      sums.y += rows.y * factor;
      sums.z += rows.z * factor;
      sums.w += rows.w * factor;
    }
    __syncthreads();
  }
  if (column >= n) return;
  if (row < m) c[row * n + column] = sums.x;
  if (row + 16 < m) c[(row + 16) * n + column] = sums.y;
  if (row + 32 < m) c[(row + 32) * n + column] = sums.z;
  if (row + 48 < m) c[(row + 48) * n + column] = sums.w;
}
