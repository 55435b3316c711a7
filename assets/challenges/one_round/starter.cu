// warplens: block=64, each=1
extern "C" __global__ void scale(const int* x, int* out, int n, int each, int a) {
  int first = blockIdx.x * blockDim.x * each + threadIdx.x;
  for (int k = 0; k < each; ++k) {
    int i = first + k * blockDim.x;
    if (i < n) out[i] = a * x[i];
  }
}
