// Right; the second barrier is not needed.
extern "C" __global__ void reverse(int* x, int n) {
  __shared__ int tile[256], turned[256];
  int first = blockIdx.x * blockDim.x;
  int count = min(int(blockDim.x), n - first);
  int t = threadIdx.x;
  if (t < count) tile[t] = x[first + t];
  __syncthreads();
  if (t < count) turned[count - 1 - t] = tile[t];
  __syncthreads();
  if (t < count) x[first + t] = turned[t];
}
