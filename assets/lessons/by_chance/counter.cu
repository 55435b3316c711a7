// warplens: count=float32[1] formula(16777000), n=1000 in 1..4096, block=128, grid=ceil(n/128)
extern "C" __global__ void counter(float* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(count, 1.f);
}
