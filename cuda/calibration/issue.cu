// How many instructions of a class an SM takes a cycle, and how long one waits for the one before.
// Each kernel runs `loops` times 64 instructions of its class: `_many` in eight chains that do not need each
// other, `_one` in a single chain. The host takes the difference of two numbers of loops, so what stands
// around them does not count.

#define CHAIN(type, count, name, start, step, result)                                 \
  extern "C" __global__ void name(result* out, type a, type b, int loops) {           \
    type x[count];                                                                    \
    _Pragma("unroll") for (int k = 0; k < count; ++k) x[k] = start;                   \
    for (int i = 0; i < loops; ++i) {                                                 \
      _Pragma("unroll") for (int k = 0; k < 64; ++k) {                                \
        type& v = x[k % count];                                                       \
        step;                                                                         \
      }                                                                               \
    }                                                                                 \
    type sum = x[0];                                                                  \
    _Pragma("unroll") for (int k = 1; k < count; ++k) sum += x[k];                    \
    if (sum == static_cast<type>(12345)) out[threadIdx.x] = static_cast<result>(sum); \
  }
#define BOTH(type, name, start, step) \
  CHAIN(type, 8, name##_many, start, step, type) CHAIN(type, 1, name##_one, start, step, type)

BOTH(float, fp32, a + static_cast<float>(threadIdx.x + k),
     asm volatile("fma.rn.f32 %0, %0, %1, %2;"
                  : "+f"(v)
                  : "f"(a), "f"(b)))
BOTH(double, fp64, a + static_cast<double>(threadIdx.x + k),
     asm volatile("fma.rn.f64 %0, %0, %1, %2;"
                  : "+d"(v)
                  : "d"(a), "d"(b)))
BOTH(int, integer, a + static_cast<int>(threadIdx.x) + k,
     asm volatile("add.s32 %0, %0, %1;\n\txor.b32 %0, %0, %2;"
                  : "+r"(v)
                  : "r"(a), "r"(b)))
BOTH(int, multiply, a + static_cast<int>(threadIdx.x) + k,
     asm volatile("mad.lo.s32 %0, %0, %1, %2;"
                  : "+r"(v)
                  : "r"(a), "r"(b)))
BOTH(long long, wide_integer, a + static_cast<long long>(threadIdx.x) + k,
     asm volatile("add.s64 %0, %0, %1;"
                  : "+l"(v)
                  : "l"(a)))
BOTH(long long, wide_multiply, a + static_cast<long long>(threadIdx.x) + k,
     asm volatile("mul.lo.s64 %0, %0, %1;"
                  : "+l"(v)
                  : "l"(a)))
BOTH(int, divide, a + static_cast<int>(threadIdx.x) + k,
     asm volatile("div.s32 %0, %1, %0;"
                  : "+r"(v)
                  : "r"(a));
     v |= 3)
BOTH(long long, wide_divide, a + static_cast<long long>(threadIdx.x) + k,
     asm volatile("div.s64 %0, %1, %0;"
                  : "+l"(v)
                  : "l"(a));
     v |= 3)
BOTH(float, float_divide, a + static_cast<float>(threadIdx.x + k),
     asm volatile("div.rn.f32 %0, %1, %0;"
                  : "+f"(v)
                  : "f"(a)))
BOTH(float, special, a + static_cast<float>(threadIdx.x + k),
     asm volatile("rcp.approx.f32 %0, %0;"
                  : "+f"(v)))
BOTH(float, convert, a + static_cast<float>(threadIdx.x + k),
     asm volatile("{ .reg .u16 t; cvt.rzi.u16.f32 t, %0; cvt.rn.f32.u16 %0, t; }"
                  : "+f"(v)))
BOTH(int, warp, a + static_cast<int>(threadIdx.x) + k,
     asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;"
                  : "+r"(v)))

extern "C" __global__ void shared_many(float* out, int stride, int loops) {
  __shared__ float room[2048];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x) room[k] = 1.0f;
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(room + threadIdx.x % 32 * stride));
  float x[8] = {};
  for (int i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k)
      asm volatile("ld.volatile.shared.f32 %0, [%1+%2];" : "=f"(x[k % 8]) : "r"(at), "n"(0));
  }
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += x[k];
  if (sum == 12345.0f) out[threadIdx.x] = sum;
}

extern "C" __global__ void shared_one(unsigned* out, int loops) {
  __shared__ unsigned room[1024];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(room));
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) room[k] = base + 4 * (k ^ 32);
  __syncthreads();
  unsigned at = base + 4 * threadIdx.x;
  for (int i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(at));
  }
  if (at == 12345) out[threadIdx.x] = at;
}

extern "C" __global__ void barrier(float* out, int loops) {
  for (int i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) asm volatile("bar.sync 0;" ::: "memory");
  }
  if (loops < 0) out[threadIdx.x] = 1;
}

// Branches that half of the lanes take, where mask is 1, or none, where it is 0. They are too long to be
// predicated, and the lanes meet again after each.
extern "C" __global__ void divergence(float* out, int mask, int loops) {
  float x = static_cast<float>(threadIdx.x);
  for (int i = 0; i < loops; ++i) {
#pragma unroll 1
    for (int k = 0; k < 4; ++k) {
      if (threadIdx.x >> k & mask) {
#pragma unroll
        for (int s = 0; s < 16; ++s) asm volatile("fma.rn.f32 %0, %0, 0f3F800001, 0f3F000000;" : "+f"(x));
      } else {
#pragma unroll
        for (int s = 0; s < 16; ++s) asm volatile("fma.rn.f32 %0, %0, 0f3F7FFFFF, 0f3E800000;" : "+f"(x));
      }
      __syncwarp();
    }
  }
  if (x == 12345.0f) out[threadIdx.x] = x;
}

// Cycles and nanoseconds that the same stretch of a kernel takes: the clock of the SMs while they work.
extern "C" __global__ void clock_rate(long long* out, int loops) {
  long long cycles = clock64(), nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  float x = threadIdx.x;
  for (int i = 0; i < loops; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
  }
  long long end;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
  cycles = clock64() - cycles;
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    out[0] = cycles;
    out[1] = end - nanoseconds;
    out[2] = static_cast<long long>(x);
  }
}
