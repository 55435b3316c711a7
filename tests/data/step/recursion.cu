__device__ int depth(int n, int level) {
  int here = n * 2 + level;
  if (n <= 0) {
    return here;
  }
  int below = depth(n - 1, level + 1);
  int both = below + here;
  return both;
}
__device__ int fibonacci(int n) {
  if (n < 2) {
    return n;
  }
  int a = fibonacci(n - 1);
  int b = fibonacci(n - 2);
  int sum = a + b;
  return sum;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int d = depth(i % 4, 1);
  int f = fibonacci(i % 5);
  out[i] = d + f;
}
