// Each thread keeps its element in a register until all threads have read.
extern "C" __global__ void reverse(int* x, int n) {
  int* part = x + blockIdx.x * blockDim.x;
  const int left = n - int(blockIdx.x * blockDim.x);
  const int count = left < int(blockDim.x) ? left : int(blockDim.x);
  const int mine = threadIdx.x;
  int value = 0;
  if (mine < count) value = part[mine];
  __syncthreads();
  if (mine < count) part[count - 1 - mine] = value;
}
