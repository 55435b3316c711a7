// It advances by one block, where the next block already works.
extern "C" __global__ void twice_and_one(int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) x[i] = 2 * x[i] + 1;
}
