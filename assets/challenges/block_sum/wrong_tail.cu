// Threads without an element leave their place in shared memory as it was.
extern "C" __global__ void sum(const int* x, int* total, int n) {
  __shared__ int sums[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) sums[t] = x[i];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half && t + half < blockDim.x) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, sums[0]);
}
