extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  int half = 128;
  bool odd = threadIdx.x >= half;
  int i = blockIdx.x * blockDim.x + (odd ? 2 * (threadIdx.x - half) + 1 : 2 * threadIdx.x);
  if (i >= n) return;
  unsigned int v = x[i];
  if (odd) {
    for (int k = 0; k < 24; ++k) v = (v ^ k) * 3;
  } else {
    for (int k = 0; k < 16; ++k) v = (v ^ k) * 5;
  }
  out[i] = v;
}
