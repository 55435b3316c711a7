// One counter for each thread: a block of 64 threads clears and adds 64 of them.
extern "C" __global__ void histogram(const unsigned char* values, int* counts, int n) {
  __shared__ int mine[128];
  if (threadIdx.x < 128) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[values[i]], 1);
  __syncthreads();
  if (threadIdx.x < 128) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
