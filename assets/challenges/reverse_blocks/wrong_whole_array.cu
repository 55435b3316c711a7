// The whole array is turned around, not each part.
extern "C" __global__ void reverse(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) x[n - 1 - i] = value;
}
