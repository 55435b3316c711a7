// Each block adds up its part of a vector in shared memory: half of the threads add the values of the other
// half to their own, then half of those, until one value is left. The blocks' sums are the result.

extern "C" __global__ void reduce_shared(const float* x, float* sums, int n) {
  __shared__ float values[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? x[i] : 0.f;
  __syncthreads();

  for (int active = blockDim.x; active > 1;) {
    int half = (active + 1) / 2;  // if the number is odd, the middle one waits for the next round
    if (threadIdx.x + half < active) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
    active = half;
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = values[0];
}
