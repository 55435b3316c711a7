// Threads without a column exit before the shuffles.
// The largest number, and the sum of exp(x - largest). At first they are the lowest number and 0.
struct Pair {
  float largest, sum;
};

__device__ Pair both(Pair a, Pair b) {
  float largest = fmaxf(a.largest, b.largest);
  return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns) {
  __shared__ Pair of_warps[8];
  const float* row = x + blockIdx.x * columns;
  if (threadIdx.x >= columns) return;
  Pair mine = {-3e38f, 0};
  for (int c = threadIdx.x; c < columns; c += blockDim.x) mine = both(mine, {row[c], 1});
  for (int away = 16; away > 0; away /= 2) {
    Pair other = {__shfl_xor_sync(0xffffffff, mine.largest, away),
                  __shfl_xor_sync(0xffffffff, mine.sum, away)};
    mine = both(mine, other);
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  Pair all = of_warps[0];
  for (int w = 1; w < blockDim.x / 32; ++w) all = both(all, of_warps[w]);
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    out[blockIdx.x * columns + c] = expf(row[c] - all.largest) / all.sum;
}
