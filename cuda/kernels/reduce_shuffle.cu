// reduce_shared with warp shuffles: the lanes of a warp hand registers to each other, without shared memory
// and without barriers. Only the warps' sums, 32 at most, go through shared memory.

__device__ float sum_of_lanes(float value, int lanes) {
  int lane = threadIdx.x % 32;
  unsigned int mask = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;  // the last warp of a block may be short
  for (int distance = 16; distance > 0; distance /= 2) {
    float other = __shfl_down_sync(mask, value, distance);
    if (lane + distance < lanes) value += other;
  }
  return value;  // lane 0 has the sum
}

extern "C" __global__ void reduce_shuffle(const float* x, float* sums, int n) {
  __shared__ float of_warp[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  int lanes = min(32, blockDim.x - 32 * warp);
  float sum = sum_of_lanes(i < n ? x[i] : 0.f, lanes);
  if (threadIdx.x % 32 == 0) of_warp[warp] = sum;
  __syncthreads();

  if (threadIdx.x >= warps) return;  // as many lanes of the first warp go on as there are warps
  sum = sum_of_lanes(of_warp[threadIdx.x], warps);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
