// Other threads may have overwritten already what it reads.
extern "C" __global__ void reverse(int* x, int n) {
  int first = blockIdx.x * blockDim.x;          // of this block's part
  int count = min(int(blockDim.x), n - first);  // elements in it
  int i = first + threadIdx.x;
  if (i < n) x[i] = x[first + count - 1 - threadIdx.x];
}
