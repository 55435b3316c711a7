// Right: the threads of a block add to a sum in shared memory.
extern "C" __global__ void sum(const int* x, int* total, int n) {
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&of_block, x[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, of_block);
}
