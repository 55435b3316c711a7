// warplens: x=float32[n] random(7), sum=float32[1] zero, n=1000 in 1..4096, block=64, grid=ceil(n/64)
extern "C" __global__ void float_sum(const float* x, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum[0], x[i]);
}
