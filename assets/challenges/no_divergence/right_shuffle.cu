// A warp has 64 elements: 32 and the next 32. Neighbouring lanes swap one element each, so that each lane has
// an even and an odd one.
extern "C" __global__ void two_ways(const unsigned int* x, unsigned int* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int i = (thread - lane) * 2 + lane;
  if ((thread - lane) * 2 >= n) return;
  unsigned int a = i < n ? x[i] : 0, b = i + 32 < n ? x[i + 32] : 0;
  bool right = lane % 2 == 1;
  unsigned int other = __shfl_xor_sync(~0u, right ? a : b, 1);
  unsigned int even = right ? other : a, odd = right ? b : other;
  for (int k = 0; k < 16; ++k) even = (even ^ k) * 5;
  for (int k = 0; k < 24; ++k) odd = (odd ^ k) * 3;
  other = __shfl_xor_sync(~0u, right ? even : odd, 1);
  a = right ? other : even;
  b = right ? odd : other;
  if (i < n) out[i] = a;
  if (i + 32 < n) out[i + 32] = b;
}
