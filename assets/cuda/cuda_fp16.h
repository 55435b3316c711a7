// Numbers of 16 bits: CUDA Math API, "Half Precision Intrinsics". Sums, products and comparisons are PTX's
// own (sm_53 and later); functions of mathematics are those of float, rounded once.
#pragma once
#include "warplens_cuda.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};
struct __half;
static __host__ inline __half __float2half_rn(float x);
static __host__ inline float __half2float(__half x);
#ifdef __CUDA__
WARPLENS_DEVICE __half __float2half_rn(float x);
WARPLENS_DEVICE float __half2float(__half x);
#endif
struct alignas(2) __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ WARPLENS_UNSEEN __half(const __half_raw& raw) : bits(raw.x) {}
  __host__ __device__ WARPLENS_UNSEEN __half(float x) : bits(__float2half_rn(x).bits) {}
  __host__ __device__ WARPLENS_UNSEEN __half(double x) : bits(__float2half_rn(float(x)).bits) {}
  __host__ __device__ WARPLENS_UNSEEN __half(int x) : bits(__float2half_rn(float(x)).bits) {}
  __host__ __device__ WARPLENS_UNSEEN __half(unsigned int x) : bits(__float2half_rn(float(x)).bits) {}
  __host__ __device__ WARPLENS_UNSEEN operator float() const { return __half2float(*this); }
  __host__ __device__ WARPLENS_UNSEEN operator __half_raw() const { return {bits}; }
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ WARPLENS_UNSEEN __half2(const __half& low, const __half& high) : x(low), y(high) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

WARPLENS_BOTH __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
WARPLENS_BOTH __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)(bits)); }
WARPLENS_BOTH unsigned short __half_as_ushort(__half x) { return x.bits; }
WARPLENS_BOTH short __half_as_short(__half x) { return short(x.bits); }

#include "parts/half_host.h"
#ifdef __CUDA__

#define WARPLENS_TO_HALF(NAME, TYPE, PTX, REGISTER)        \
  WARPLENS_DEVICE __half NAME(TYPE x) {                    \
    unsigned short bits;                                   \
    asm("cvt." PTX " %0, %1;" : "=h"(bits) : REGISTER(x)); \
    return __ushort_as_half(bits);                         \
  }
#define WARPLENS_OF_HALF(NAME, TYPE, PTX, REGISTER)                  \
  WARPLENS_DEVICE TYPE NAME(__half x) {                              \
    TYPE result;                                                     \
    asm("cvt." PTX " %0, %1;" : "=" REGISTER(result) : "h"(x.bits)); \
    return result;                                                   \
  }
WARPLENS_TO_HALF(__float2half_rn, float, "rn.f16.f32", "f")
WARPLENS_TO_HALF(__float2half_rz, float, "rz.f16.f32", "f")
WARPLENS_TO_HALF(__float2half_ru, float, "rp.f16.f32", "f")
WARPLENS_TO_HALF(__float2half_rd, float, "rm.f16.f32", "f")
WARPLENS_TO_HALF(__double2half, double, "rn.f16.f64", "d")
WARPLENS_TO_HALF(__int2half_rn, int, "rn.f16.s32", "r")
WARPLENS_TO_HALF(__uint2half_rn, unsigned int, "rn.f16.u32", "r")
WARPLENS_TO_HALF(__short2half_rn, short, "rn.f16.s16", "h")
WARPLENS_TO_HALF(__ushort2half_rn, unsigned short, "rn.f16.u16", "h")
WARPLENS_TO_HALF(__ll2half_rn, long long, "rn.f16.s64", "l")
WARPLENS_OF_HALF(__half2float, float, "f32.f16", "f")
WARPLENS_OF_HALF(__half2int_rn, int, "rni.s32.f16", "r")
WARPLENS_OF_HALF(__half2int_rz, int, "rzi.s32.f16", "r")
WARPLENS_OF_HALF(__half2uint_rn, unsigned int, "rni.u32.f16", "r")
WARPLENS_OF_HALF(__half2short_rn, short, "rni.s16.f16", "h")
WARPLENS_OF_HALF(__half2ll_rn, long long, "rni.s64.f16", "l")
#undef WARPLENS_TO_HALF
#undef WARPLENS_OF_HALF
WARPLENS_BOTH __half __float2half(float x) { return __float2half_rn(x); }
WARPLENS_BOTH __half2 make_half2(__half x, __half y) { return __half2(x, y); }
WARPLENS_BOTH __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
WARPLENS_BOTH __half2 __half2half2(__half x) { return __half2(x, x); }
WARPLENS_BOTH __half2 __float2half2_rn(float x) { return __half2half2(__float2half_rn(x)); }
WARPLENS_BOTH __half2 __floats2half2_rn(float x, float y) {
  return __half2(__float2half_rn(x), __float2half_rn(y));
}
WARPLENS_BOTH __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
WARPLENS_BOTH float2 __half22float2(__half2 v) { return {__half2float(v.x), __half2float(v.y)}; }
WARPLENS_BOTH __half __low2half(__half2 v) { return v.x; }
WARPLENS_BOTH __half __high2half(__half2 v) { return v.y; }
WARPLENS_BOTH float __low2float(__half2 v) { return __half2float(v.x); }
WARPLENS_BOTH float __high2float(__half2 v) { return __half2float(v.y); }
WARPLENS_DEVICE __half2 __low2half2(__half2 v) { return __half2half2(v.x); }
WARPLENS_DEVICE __half2 __high2half2(__half2 v) { return __half2half2(v.y); }
WARPLENS_DEVICE __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }

#if WARPLENS_ARCH >= 530
WARPLENS_DEVICE unsigned int warplens_bits(__half2 v) { return __builtin_bit_cast(unsigned int, v); }
WARPLENS_DEVICE __half2 warplens_half2(unsigned int bits) { return __builtin_bit_cast(__half2, bits); }
#define WARPLENS_HALF_TWO(NAME, OF_PAIR, PTX)                                                  \
  WARPLENS_DEVICE __half NAME(__half a, __half b) {                                            \
    unsigned short bits;                                                                       \
    asm(PTX ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.bits), "h"(b.bits));                       \
    return __ushort_as_half(bits);                                                             \
  }                                                                                            \
  WARPLENS_DEVICE __half2 OF_PAIR(__half2 a, __half2 b) {                                      \
    unsigned int bits;                                                                         \
    asm(PTX ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(warplens_bits(a)), "r"(warplens_bits(b))); \
    return warplens_half2(bits);                                                               \
  }
WARPLENS_HALF_TWO(__hadd, __hadd2, "add")
WARPLENS_HALF_TWO(__hsub, __hsub2, "sub")
WARPLENS_HALF_TWO(__hmul, __hmul2, "mul")
WARPLENS_HALF_TWO(__hadd_sat, __hadd2_sat, "add.sat")
WARPLENS_HALF_TWO(__hsub_sat, __hsub2_sat, "sub.sat")
WARPLENS_HALF_TWO(__hmul_sat, __hmul2_sat, "mul.sat")
WARPLENS_HALF_TWO(__hadd_rn, __hadd2_rn, "add.rn")
WARPLENS_HALF_TWO(__hsub_rn, __hsub2_rn, "sub.rn")
WARPLENS_HALF_TWO(__hmul_rn, __hmul2_rn, "mul.rn")
#undef WARPLENS_HALF_TWO
WARPLENS_DEVICE __half __hfma(__half a, __half b, __half c) {
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return __ushort_as_half(bits);
}
WARPLENS_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned int bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(warplens_bits(a)), "r"(warplens_bits(b)), "r"(warplens_bits(c)));
  return warplens_half2(bits);
}
WARPLENS_DEVICE __half __hneg(__half x) { return __ushort_as_half((unsigned short)(x.bits ^ 0x8000)); }
WARPLENS_DEVICE __half __habs(__half x) { return __ushort_as_half((unsigned short)(x.bits & 0x7fff)); }
WARPLENS_DEVICE __half2 __hneg2(__half2 v) { return __half2(__hneg(v.x), __hneg(v.y)); }
WARPLENS_DEVICE __half2 __habs2(__half2 v) { return __half2(__habs(v.x), __habs(v.y)); }
WARPLENS_DEVICE __half __hdiv(__half a, __half b) {
  return __float2half_rn(__half2float(a) / __half2float(b));
}
WARPLENS_DEVICE __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
#define WARPLENS_HALF_COMPARE(NAME, OP)                                                         \
  WARPLENS_DEVICE bool NAME(__half a, __half b) { return __half2float(a) OP __half2float(b); }  \
  WARPLENS_DEVICE __half2 NAME##2(__half2 a, __half2 b) {                                       \
    return __half2(__half(NAME(a.x, b.x) ? 1.0f : 0.0f), __half(NAME(a.y, b.y) ? 1.0f : 0.0f)); \
  }
WARPLENS_HALF_COMPARE(__heq, ==)
WARPLENS_HALF_COMPARE(__hne, !=)
WARPLENS_HALF_COMPARE(__hlt, <)
WARPLENS_HALF_COMPARE(__hle, <=)
WARPLENS_HALF_COMPARE(__hgt, >)
WARPLENS_HALF_COMPARE(__hge, >=)
#undef WARPLENS_HALF_COMPARE
WARPLENS_DEVICE bool __hisnan(__half x) { return isnan(__half2float(x)); }
WARPLENS_DEVICE int __hisinf(__half x) { return isinf(__half2float(x)) ? (x.bits & 0x8000 ? -1 : 1) : 0; }
// The other number where one is none.
WARPLENS_DEVICE __half __hmax(__half a, __half b) {
  return __float2half_rn(fmaxf(__half2float(a), __half2float(b)));
}
WARPLENS_DEVICE __half __hmin(__half a, __half b) {
  return __float2half_rn(fminf(__half2float(a), __half2float(b)));
}
WARPLENS_DEVICE __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
WARPLENS_DEVICE __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }

#define WARPLENS_HALF_FUNCTION(NAME, OF)                                                    \
  WARPLENS_DEVICE __half h##NAME(__half x) { return __float2half_rn(OF(__half2float(x))); } \
  WARPLENS_DEVICE __half2 h2##NAME(__half2 v) { return __half2(h##NAME(v.x), h##NAME(v.y)); }
WARPLENS_DEVICE float warplens_reciprocal(float x) { return 1.0f / x; }
WARPLENS_HALF_FUNCTION(sqrt, sqrtf)
WARPLENS_HALF_FUNCTION(rsqrt, rsqrtf)
WARPLENS_HALF_FUNCTION(rcp, warplens_reciprocal)
WARPLENS_HALF_FUNCTION(exp, expf)
WARPLENS_HALF_FUNCTION(exp2, exp2f)
WARPLENS_HALF_FUNCTION(exp10, exp10f)
WARPLENS_HALF_FUNCTION(log, logf)
WARPLENS_HALF_FUNCTION(log2, log2f)
WARPLENS_HALF_FUNCTION(log10, log10f)
WARPLENS_HALF_FUNCTION(sin, sinf)
WARPLENS_HALF_FUNCTION(cos, cosf)
WARPLENS_HALF_FUNCTION(floor, floorf)
WARPLENS_HALF_FUNCTION(ceil, ceilf)
WARPLENS_HALF_FUNCTION(trunc, truncf)
WARPLENS_HALF_FUNCTION(rint, rintf)
#undef WARPLENS_HALF_FUNCTION

#define WARPLENS_HALF_OPERATOR(OP, OF)                                                      \
  WARPLENS_DEVICE __half operator OP(const __half& a, const __half& b) { return OF(a, b); } \
  WARPLENS_DEVICE __half& operator OP##=(__half& a, const __half& b) { return a = OF(a, b); }
WARPLENS_HALF_OPERATOR(+, __hadd)
WARPLENS_HALF_OPERATOR(-, __hsub)
WARPLENS_HALF_OPERATOR(*, __hmul)
WARPLENS_HALF_OPERATOR(/, __hdiv)
#undef WARPLENS_HALF_OPERATOR
#define WARPLENS_HALF_OPERATOR(OP, OF)                                                         \
  WARPLENS_DEVICE __half2 operator OP(const __half2& a, const __half2& b) { return OF(a, b); } \
  WARPLENS_DEVICE __half2& operator OP##=(__half2& a, const __half2& b) { return a = OF(a, b); }
WARPLENS_HALF_OPERATOR(+, __hadd2)
WARPLENS_HALF_OPERATOR(-, __hsub2)
WARPLENS_HALF_OPERATOR(*, __hmul2)
WARPLENS_HALF_OPERATOR(/, __h2div)
#undef WARPLENS_HALF_OPERATOR
#define WARPLENS_HALF_OPERATOR(OP, OF) \
  WARPLENS_DEVICE bool operator OP(const __half& a, const __half& b) { return OF(a, b); }
WARPLENS_HALF_OPERATOR(==, __heq)
WARPLENS_HALF_OPERATOR(!=, __hne)
WARPLENS_HALF_OPERATOR(<, __hlt)
WARPLENS_HALF_OPERATOR(<=, __hle)
WARPLENS_HALF_OPERATOR(>, __hgt)
WARPLENS_HALF_OPERATOR(>=, __hge)
#undef WARPLENS_HALF_OPERATOR
WARPLENS_DEVICE __half operator+(const __half& x) { return x; }
WARPLENS_DEVICE __half operator-(const __half& x) { return __hneg(x); }
WARPLENS_DEVICE __half2 operator+(const __half2& v) { return v; }
WARPLENS_DEVICE __half2 operator-(const __half2& v) { return __hneg2(v); }
#if WARPLENS_ARCH >= 600
WARPLENS_DEVICE __half2 atomicAdd(__half2* at, __half2 v) {
  unsigned int before;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(before)
               : "l"(at), "r"(warplens_bits(v))
               : "memory");
  return warplens_half2(before);
}
#endif
#if WARPLENS_ARCH >= 700
WARPLENS_DEVICE __half atomicAdd(__half* at, __half x) {
  unsigned short before;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before) : "l"(at), "h"(x.bits) : "memory");
  return __ushort_as_half(before);
}
#endif

#define WARPLENS_SHUFFLE_HALF(NAME, BY)                                                       \
  WARPLENS_DEVICE __half NAME(unsigned int mask, __half x, BY by, int width = 32) {           \
    return __ushort_as_half((unsigned short)(NAME(mask, (unsigned int)(x.bits), by, width))); \
  }                                                                                           \
  WARPLENS_DEVICE __half2 NAME(unsigned int mask, __half2 v, BY by, int width = 32) {         \
    return warplens_half2(NAME(mask, warplens_bits(v), by, width));                           \
  }
WARPLENS_SHUFFLE_HALF(__shfl_sync, int)
WARPLENS_SHUFFLE_HALF(__shfl_xor_sync, int)
WARPLENS_SHUFFLE_HALF(__shfl_up_sync, unsigned int)
WARPLENS_SHUFFLE_HALF(__shfl_down_sync, unsigned int)
#undef WARPLENS_SHUFFLE_HALF
#endif
#endif
