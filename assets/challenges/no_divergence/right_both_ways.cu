extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int even = x[i], odd = even;
  for (int k = 0; k < 16; ++k) even = (even ^ k) * 5;
  for (int k = 0; k < 24; ++k) odd = (odd ^ k) * 3;
  out[i] = i % 2 == 0 ? even : odd;
}
