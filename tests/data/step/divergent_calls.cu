__device__ int slow(int x) {
  int total = 0;
  for (int j = 0; j < x % 6; ++j) {
    total += j * x;
  }
  return total;
}
__device__ int quick(int x) {
  int total = x - 1;
  return total;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  int result = 0;
  if (i % 2 == 0) {
    int even = slow(i);
    result = even + x;
  } else if (i % 3 == 0) {
    int third = quick(x);
    result = third * 2;
  } else {
    result = slow(x & 7) + quick(i);
  }
  int again = i % 5 == 0 ? slow(result & 15) : quick(result);
  out[i] = again;
}
