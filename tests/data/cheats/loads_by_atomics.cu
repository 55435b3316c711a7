// An atomic that adds 0 reads as well, and is no load.
extern "C" __global__ void bend(const int* x, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* read = (int*)x;
  if (i >= n) return;
  int left = i > 0 ? atomicAdd(&read[i - 1], 0) : 0;
  int right = i + 1 < n ? atomicAdd(&read[i + 1], 0) : 0;
  out[i] = left - 2 * atomicAdd(&read[i], 0) + right;
}
