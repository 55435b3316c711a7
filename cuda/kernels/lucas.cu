// One thread computes one Lucas number: 2, 1, 3, 4, 7, 11, … where each is the sum of the two before it.
// Thread i needs i turns, so the lanes of a warp end one after the other.

extern "C" __global__ void lucas(long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;  // indices from 0 up to n: n + 1 numbers

  long long current = 2, next = 1;
  for (int k = 0; k < i; ++k) {
    long long sum = current + next;
    current = next;
    next = sum;
  }
  out[i] = current;
}
