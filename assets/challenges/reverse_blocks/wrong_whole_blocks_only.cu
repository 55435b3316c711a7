// The last part is shorter than a block.
extern "C" __global__ void reverse(int* x, int n) {
  int first = blockIdx.x * blockDim.x;
  int i = first + threadIdx.x;
  __shared__ int tile[256];
  if (i < n) tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) x[i] = tile[blockDim.x - 1 - threadIdx.x];
}
