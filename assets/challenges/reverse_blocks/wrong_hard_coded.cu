// 256 is not the size of every block.
extern "C" __global__ void reverse(int* x, int n) {
  int first = blockIdx.x * blockDim.x;
  int count = min(256, n - first);
  int i = first + threadIdx.x;
  __shared__ int tile[256];
  if (i < n) tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) x[i] = tile[count - 1 - threadIdx.x];
}
