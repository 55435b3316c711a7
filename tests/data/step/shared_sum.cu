extern "C" __global__ void k(int* out, const int* in, int n) {
  __shared__ int sums[64];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = in[i % n];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride) {
      int other = sums[t + stride];
      int own = sums[t];
      sums[t] = own + other;
    }
    __syncthreads();
  }
  int total = sums[0];
  out[i] = total + t;
}
