extern "C" __global__ void sum(const int* x, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) total[0] += x[i];
}
