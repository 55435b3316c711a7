// Latency and bandwidth of global memory: by sectors that a request touches, from L1, L2 and DRAM.

extern "C" __global__ void empty() {}

// A chain of dependent loads: `next` holds the index of the element to read after this one.
extern "C" __global__ void chase(const unsigned* next, unsigned* out, int loops) {
  unsigned at = threadIdx.x;
  for (int i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) at = __ldca(next + at);
  }
  if (at == 0xffffffff) out[0] = at;
}

// Fills `next` for `chase`: steps of `stride` elements around a ring of `elements`.
extern "C" __global__ void make_ring(unsigned* next, unsigned elements, unsigned stride) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x)
    next[i] = (i + stride) % elements;
}

// Each thread reads `loops` times 8 elements; neighbouring threads are `stride` elements apart, and all of
// the grid's accesses of a turn lie side by side, within `mask` + 1 elements.
extern "C" __global__ void load(const float* x, float* out, unsigned mask, unsigned stride, int loops) {
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  const unsigned turn = gridDim.x * blockDim.x * stride;
  float sum = 0;
  for (int i = 0; i < loops; ++i) {
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = __ldcg(x + ((at + k * turn) & mask));
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += v[k];
    at += 8 * turn;
  }
  if (sum == 12345.678f) out[threadIdx.x] = sum;
}

// The same from L1: each block reads its own 16 KiB again and again.
extern "C" __global__ void load_l1(const float* x, float* out, unsigned stride, int loops) {
  float sum = 0;
  for (int i = 0; i < loops; ++i) {
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = __ldca(x + ((threadIdx.x * stride + k * 128 + i) & 4095));
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += v[k];
  }
  if (sum == 12345.678f) out[threadIdx.x] = sum;
}

extern "C" __global__ void store(float* x, unsigned mask, unsigned stride, int loops) {
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  const unsigned turn = gridDim.x * blockDim.x * stride;
  for (int i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 8; ++k) __stcg(x + ((at + k * turn) & mask), 1.0f);
    at += 8 * turn;
  }
}
