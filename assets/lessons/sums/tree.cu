// warplens: x=int32[64] formula(1), sum=int32[1] zero, block=64, grid=1
extern "C" __global__ void tree(const int* x, int* sum) {
  __shared__ int value[64];
  int i = threadIdx.x;
  value[i] = x[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (i < half) value[i] += value[i + half];
    __syncthreads();
  }
  if (i == 0) sum[0] = value[0];
}
