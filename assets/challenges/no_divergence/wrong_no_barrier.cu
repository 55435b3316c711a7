extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  __shared__ unsigned int tile[1024];
  int first = blockIdx.x * blockDim.x, half = blockDim.x / 2, t = threadIdx.x;
  if (first + t < n) tile[t] = x[first + t];
  bool odd = t >= half;
  int mine = odd ? 2 * (t - half) + 1 : 2 * t;
  if (first + mine < n) {
    unsigned int v = tile[mine];
    if (odd) {
      for (int k = 0; k < 24; ++k) v = (v ^ k) * 3;
    } else {
      for (int k = 0; k < 16; ++k) v = (v ^ k) * 5;
    }
    tile[mine] = v;
  }
  __syncthreads();
  if (first + t < n) out[first + t] = tile[t];
}
