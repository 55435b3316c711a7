// warplens: x=float32[n] random(1), out=float32[n] zero, n=262144 in 1..262144, block=256, grid=ceil(n/256)
extern "C" __global__ void healthy(const float* x, float* out, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x ^ 1];
}
