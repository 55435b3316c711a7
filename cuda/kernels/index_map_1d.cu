// Each thread writes down where in the whole grid it stands: blockIdx counts blocks, threadIdx counts threads
// inside a block, and blockDim is the size of a block.

extern "C" __global__ void index_map_1d(int* x_of, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) x_of[x] = x;
}
