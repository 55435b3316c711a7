extern "C" __global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int tile = 0; tile < k / 16; ++tile) {
    a_tile[ty][tx] = a[row * k + tile * 16 + tx];
    b_tile[ty][tx] = b[(tile * 16 + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
