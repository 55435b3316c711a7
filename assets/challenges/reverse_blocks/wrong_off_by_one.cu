// Thread 0 takes the element after the last one.
extern "C" __global__ void reverse(int* x, int n) {
  int first = blockIdx.x * blockDim.x;
  int count = min(int(blockDim.x), n - first);
  int i = first + threadIdx.x;
  __shared__ int tile[256];
  if (i < n) tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) x[i] = tile[count - threadIdx.x];
}
