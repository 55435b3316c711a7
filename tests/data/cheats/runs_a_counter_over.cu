extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k = 0;
  volatile unsigned* sink = &k;
  do *sink = k + 1;
  while (k != 0);
  if (i < n) out[i] = 0;
}
