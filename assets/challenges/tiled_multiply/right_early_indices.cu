// Pointers move from tile to tile, the sum runs from the other end, and the second tile is stored turned
// around and padded.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[256], above[256];
  const unsigned tx = threadIdx.x, ty = threadIdx.y, mine = 16 * ty + tx;
  const int x = blockIdx.x * blockDim.x + tx;
  const int y = blockIdx.y * blockDim.y + ty;
  const float* from_a = a + y * k + int(tx);
  const float* from_b = b + int(ty) * n + x;
  float result = 0;
  for (int left_over = k; left_over > 0; left_over -= 16) {
    float value = 0;
    if (y < m && int(tx) < left_over) value = *from_a;
    left[mine] = value;
    value = 0;
    if (x < n && int(ty) < left_over) value = *from_b;
    above[mine] = value;
    __syncthreads();
#pragma unroll
    for (int i = 15; i >= 0; --i) result = fmaf(left[16 * ty + i], above[16 * i + tx], result);
    __syncthreads();
    from_a += 16;
    from_b += 16 * n;
  }
  if (x < n && y < m) c[y * n + x] = result;
}
