// warplens: in=float32[32, 32] index, out=float32[32, 32] zero, block=32x32, grid=1
extern "C" __global__ void turn(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y];
}
