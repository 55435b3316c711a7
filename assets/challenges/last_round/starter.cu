// warplens: block=1024, n=20000
extern "C" __global__ void scale(const int* x, int* out, int n, int a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i];
}
