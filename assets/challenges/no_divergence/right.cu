extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  bool pair = i + 1 < n;
  uint2 both = pair ? *(const uint2*)(x + i) : make_uint2(x[i], 0);
  unsigned int even = both.x, odd = both.y;
  for (int k = 0; k < 16; ++k) even = (even ^ k) * 5;
  for (int k = 0; k < 24; ++k) odd = (odd ^ k) * 3;
  if (pair)
    *(uint2*)(out + i) = make_uint2(even, odd);
  else
    out[i] = even;
}
