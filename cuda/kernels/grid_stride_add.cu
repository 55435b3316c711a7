// Adds two vectors with any number of threads: each thread starts at its own index and goes on by the size of
// the whole grid, until no element is left. The launch need not know the size of the data.

extern "C" __global__ void grid_stride_add(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;  // threads of the grid
  for (; i < n; i += stride) out[i] = x[i] + y[i];
}
