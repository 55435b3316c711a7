// histogram_global in two steps: a block counts into counters of its own in shared memory, and adds them to
// the grid's when it is done. What was one slow atomic a pixel becomes 256 a block.

extern "C" __global__ void histogram_shared(const unsigned char* gray, unsigned int* bins, int n) {
  __shared__ unsigned int own[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) own[bin] = 0;
  __syncthreads();

  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&own[gray[i]], 1);
  __syncthreads();

  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
    if (own[bin] > 0) atomicAdd(&bins[bin], own[bin]);
}
