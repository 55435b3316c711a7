// warplens: x=int32[n] formula(1), sum=int32[1] zero, n=1000 in 1..4096, block=256, grid=ceil(n/256)
extern "C" __global__ void lost(const int* x, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  int before = sum[0];
  sum[0] = before + x[i];
}
