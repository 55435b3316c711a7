extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool odd = threadIdx.x >= blockDim.x / 2;
  unsigned int v = x[i];
  if (odd) {
    for (int k = 0; k < 24; ++k) v = (v ^ k) * 3;
  } else {
    for (int k = 0; k < 16; ++k) v = (v ^ k) * 5;
  }
  out[i] = v;
}
