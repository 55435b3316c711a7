// warplens: in=float32[n] random(1, 0, 1), out=float32[n] zero, n=270336, turns=16, block=1024, grid=ceil(n/block_x)
extern "C" __global__ void turn(const float* in, float* out, int n, int turns) {
  __shared__ float tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  float mine = i < n ? in[i] : 0;
  for (int k = 0; k < turns; ++k) {
    tile[t] = mine;
    __syncthreads();
    mine += 0.5f * tile[t ^ 1];
    __syncthreads();
  }
  if (i < n) out[i] = mine;
}
