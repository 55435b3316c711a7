// Each thread loads one element, so no thread loads the last ones.
extern "C" __global__ void multiply(const int* a, const int* b, int* c, int n, int m) {
  __shared__ int part[256 + 32], factors[33];  // part[0] is a[first]
  int first = int(blockIdx.x * blockDim.x) - (m - 1);
  int k = threadIdx.x;
  part[k] = first + k >= 0 && first + k < n ? a[first + k] : 0;
  for (int k = threadIdx.x; k < m; k += blockDim.x) factors[k] = b[k];
  __syncthreads();
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < m; ++k) sum += part[threadIdx.x + m - 1 - k] * factors[k];
  if (j < n + m - 1) c[j] = sum;
}
