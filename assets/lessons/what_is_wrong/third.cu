// warplens: in=float32[32, n] index, out=float32[n] zero, n=4096, block=32x8, grid=(1, n/32)
extern "C" __global__ void third(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int first = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8) {
    tile[row][threadIdx.x] = in[(first + row) * 32 + threadIdx.x];
  }
  __syncthreads();

  if (threadIdx.y > 0) return;
  float sum = 0.f;
  for (int i = 0; i < 32; ++i) sum += tile[threadIdx.x][i];
  out[first + threadIdx.x] = sum;
}
