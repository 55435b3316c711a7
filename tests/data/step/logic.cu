__device__ bool is_prime(int v) {
  if (v < 2) {
    return false;
  }
  bool prime = true;
  for (int d = 2; d * d <= v && prime; ++d) {
    prime = v % d != 0;
  }
  return prime;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool inside = i < n;
  bool positive = inside && in[i] > 0;
  bool either = !inside || in[i] < -20;
  bool prime = is_prime(i);
  int bits = (inside ? 1 : 0) | (positive ? 2 : 0);
  if (either || prime) {
    bits |= 4;
  }
  bool odd = (bits & 1) != (i & 1);
  out[i] = bits + odd;
}
