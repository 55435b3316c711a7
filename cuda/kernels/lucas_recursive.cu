// lucas as its definition reads: the function calls itself twice. Each call keeps its number and its way back
// on the thread's stack, in local memory, and lanes with other numbers go other ways.

__device__ __noinline__ long long lucas_number(int i) {
  if (i == 0) return 2;
  if (i == 1) return 1;
  return lucas_number(i - 1) + lucas_number(i - 2);
}

extern "C" __global__ void lucas_recursive(long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = lucas_number(i);  // indices from 0 up to n: n + 1 numbers
}
