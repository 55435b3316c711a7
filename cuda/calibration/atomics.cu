// Atomics by contention. Each thread does `loops` of them; the words are `mask` + 1, and lane and warp decide
// which.

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// All lanes of a warp and all warps at words chosen by a hash.
extern "C" __global__ void atomic_spread(unsigned* words, unsigned mask, int loops) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < loops; ++i) atomicAdd(words + (hash(thread * 64 + i) & mask), 1u);
}

// The lanes of a warp at 32 words side by side, chosen by a hash.
extern "C" __global__ void atomic_row(unsigned* words, unsigned mask, int loops) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (int i = 0; i < loops; ++i) atomicAdd(words + (hash(warp * 64 + i) * 32 & mask) + threadIdx.x % 32, 1u);
}

// The old value is used: a chain of atomics.
extern "C" __global__ void atomic_chain(unsigned* words, unsigned* out, int loops) {
  unsigned at = threadIdx.x;
  for (int i = 0; i < loops; ++i) at = threadIdx.x + (atomicAdd(words + at, 1u) >> 31);
  if (at == 0xffffffff) out[0] = at;
}
