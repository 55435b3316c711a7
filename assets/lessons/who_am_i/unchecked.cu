// warplens: x=int32[n] index, y=int32[n] formula(10 * i), out=int32[n] zero, n=10 in 1..40
// warplens: block=4, grid=ceil(n/4)
extern "C" __global__ void add(const int* x, const int* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = x[i] + y[i];
}
