extern "C" __global__ void widen(const int* x, int* out, int n, int passes) {
  __shared__ int buffer[512];
  int* from = buffer;
  int* to = buffer + 256;
  const int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  const int count = min(int(blockDim.x), n - first);
  if (t < count) from[t] = x[first + t];
  __syncthreads();
  while (passes-- > 0) {
    if (t < count) {
      const int right = t + 1 < count ? from[t + 1] : from[t];
      to[t] = right > from[t] ? right : from[t];
    }
    __syncthreads();
    int* swap = from;
    from = to;
    to = swap;
  }
  if (t < count) out[first + t] = from[t];
}
