extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  unsigned int even = x[i], odd = x[i + 1];
  for (int k = 0; k < 16; ++k) even = (even ^ k) * 5;
  for (int k = 0; k < 24; ++k) odd = (odd ^ k) * 3;
  out[i] = even;
  out[i + 1] = odd;
}
