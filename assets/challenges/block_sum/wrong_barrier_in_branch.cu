// Only the threads that still have work reach the barrier.
extern "C" __global__ void sum(const int* x, int* total, int n) {
  __shared__ int part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      __syncthreads();
      part[threadIdx.x] += part[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
