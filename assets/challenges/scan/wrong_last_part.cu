extern "C" __global__ void scan(const int* x, int* out, int n) {
  if (threadIdx.x > 0) return;
  int first = blockIdx.x * blockDim.x;  // of this block's part
  int sum = 0;
  for (int t = 0; t < blockDim.x; ++t) {
    sum += x[first + t];
    out[first + t] = sum;
  }
}
