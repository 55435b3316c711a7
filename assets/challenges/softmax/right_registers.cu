// Each thread keeps its numbers in registers: at most 32, since a block has 32 threads at least. Warps meet
// in shared memory.
__device__ float over_warp(float value, bool add) {
  for (int away = 16; away > 0; away /= 2) {
    float other = __shfl_xor_sync(0xffffffff, value, away);
    value = add ? value + other : fmaxf(value, other);
  }
  return value;
}

__device__ float over_block(float value, bool add, float* of_warps) {
  value = over_warp(value, add);
  __syncthreads();  // other threads may still read the result of the call before
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warps[0];
  for (int w = 1; w < blockDim.x / 32; ++w) value = add ? value + of_warps[w] : fmaxf(value, of_warps[w]);
  return value;
}

extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns, int heat) {
  __shared__ float of_warps[8];
  float own[32];
  float largest = -3e38f, sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    int c = threadIdx.x + k * blockDim.x;
    own[k] = c < columns ? heat * x[blockIdx.x * columns + c] : -3e38f;
    largest = fmaxf(largest, own[k]);
  }
  largest = over_block(largest, false, of_warps);
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    own[k] = expf(own[k] - largest);  // 0 where there is no column
    sum += own[k];
  }
  sum = over_block(sum, true, of_warps);
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    int c = threadIdx.x + k * blockDim.x;
    if (c < columns) out[blockIdx.x * columns + c] = own[k] / sum;
  }
}
