// The sum of a whole vector. Blocks cannot wait for one another, but launches can: the first launch gives one
// sum a block, and the second, of one block, adds those up with the same kernel.

extern "C" __global__ void reduce_blocks(const float* x, float* sums, int n) {
  __shared__ float values[1024];
  float sum = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  values[threadIdx.x] = sum;
  __syncthreads();

  for (int active = blockDim.x; active > 1;) {
    int half = (active + 1) / 2;
    if (threadIdx.x + half < active) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
    active = half;
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = values[0];
}
