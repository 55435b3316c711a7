// Numbers with 8 bits of exponent and 7 of fraction: CUDA Math API, "Bfloat16 Precision Intrinsics". Sums and
// products are PTX's fused multiply-add (sm_80 and later), else those of float, rounded once; functions of
// mathematics are those of float, rounded once. The host has conversions.
#pragma once
#include "warplens_cuda.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat16;
WARPLENS_BOTH __nv_bfloat16 __float2bfloat16_rn(float x);
WARPLENS_BOTH float __bfloat162float(__nv_bfloat16 x);
struct alignas(2) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __host__ __device__ WARPLENS_UNSEEN __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits(raw.x) {}
  __host__ __device__ WARPLENS_UNSEEN __nv_bfloat16(float x) : bits(__float2bfloat16_rn(x).bits) {}
  __host__ __device__ WARPLENS_UNSEEN __nv_bfloat16(double x) : bits(__float2bfloat16_rn(float(x)).bits) {}
  __host__ __device__ WARPLENS_UNSEEN __nv_bfloat16(int x) : bits(__float2bfloat16_rn(float(x)).bits) {}
  __host__ __device__ WARPLENS_UNSEEN __nv_bfloat16(unsigned int x)
      : bits(__float2bfloat16_rn(float(x)).bits) {}
  __host__ __device__ WARPLENS_UNSEEN operator float() const { return __bfloat162float(*this); }
  __host__ __device__ WARPLENS_UNSEEN operator __nv_bfloat16_raw() const { return {bits}; }
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ WARPLENS_UNSEEN __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high)
      : x(low), y(high) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WARPLENS_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
WARPLENS_BOTH __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __ushort_as_bfloat16((unsigned short)(bits));
}
WARPLENS_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
WARPLENS_BOTH short __bfloat16_as_short(__nv_bfloat16 x) { return short(x.bits); }

WARPLENS_BOTH float __bfloat162float(__nv_bfloat16 x) {
  return __builtin_bit_cast(float, (unsigned int)(x.bits) << 16);
}
// To the nearest, ties to even; what is no number becomes the one that PTX gives.
WARPLENS_BOTH __nv_bfloat16 __float2bfloat16_rn(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return __ushort_as_bfloat16(bits);
#else
  if (__builtin_isnan(x)) return __ushort_as_bfloat16(0x7fff);
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  return __ushort_as_bfloat16((unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16));
#endif
}
WARPLENS_BOTH __nv_bfloat16 __float2bfloat16_rz(float x) {
  if (__builtin_isnan(x)) return __ushort_as_bfloat16(0x7fff);
  return __ushort_as_bfloat16((unsigned short)(__builtin_bit_cast(unsigned int, x) >> 16));
}
WARPLENS_BOTH __nv_bfloat16 __float2bfloat16(float x) { return __float2bfloat16_rn(x); }
WARPLENS_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
WARPLENS_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPLENS_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
WARPLENS_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) {
  return __bfloat162bfloat162(__float2bfloat16_rn(x));
}
WARPLENS_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162(__float2bfloat16_rn(x), __float2bfloat16_rn(y));
}
WARPLENS_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
WARPLENS_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) {
  return {__bfloat162float(v.x), __bfloat162float(v.y)};
}
WARPLENS_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
WARPLENS_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
WARPLENS_BOTH float __low2float(__nv_bfloat162 v) { return __bfloat162float(v.x); }
WARPLENS_BOTH float __high2float(__nv_bfloat162 v) { return __bfloat162float(v.y); }

#ifdef __CUDA__
// Rounded once: to odd first, so that the second rounding sees what the first one left out.
WARPLENS_DEVICE __nv_bfloat16 __double2bfloat16(double x) {
  float near = __double2float_rz(x);
  if (double(near) != x && !isnan(x) && !isinf(near))
    near = __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, near) | 1);
  return __float2bfloat16_rn(near);
}
WARPLENS_DEVICE __nv_bfloat16 __int2bfloat16_rn(int x) { return __double2bfloat16(double(x)); }
WARPLENS_DEVICE __nv_bfloat16 __uint2bfloat16_rn(unsigned int x) { return __double2bfloat16(double(x)); }
WARPLENS_DEVICE int __bfloat162int_rn(__nv_bfloat16 x) { return __float2int_rn(__bfloat162float(x)); }
WARPLENS_DEVICE int __bfloat162int_rz(__nv_bfloat16 x) { return __float2int_rz(__bfloat162float(x)); }

WARPLENS_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if WARPLENS_ARCH >= 800
  unsigned short bits;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return __ushort_as_bfloat16(bits);
#else
  return __float2bfloat16_rn(__fmaf_rn(float(a), float(b), float(c)));
#endif
}
WARPLENS_DEVICE __nv_bfloat16 __hneg(__nv_bfloat16 x) {
  return __ushort_as_bfloat16((unsigned short)(x.bits ^ 0x8000));
}
WARPLENS_DEVICE __nv_bfloat16 __habs(__nv_bfloat16 x) {
  return __ushort_as_bfloat16((unsigned short)(x.bits & 0x7fff));
}
WARPLENS_DEVICE __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hfma(a, __ushort_as_bfloat16(0x3f80), b);
}
WARPLENS_DEVICE __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hfma(b, __ushort_as_bfloat16(0xbf80), a);
}
WARPLENS_DEVICE __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hfma(a, b, __ushort_as_bfloat16(0x8000));
}
WARPLENS_DEVICE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16_rn(__bfloat162float(a) / __bfloat162float(b));
}
// The other number where one is none.
WARPLENS_DEVICE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16_rn(fmaxf(__bfloat162float(a), __bfloat162float(b)));
}
WARPLENS_DEVICE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16_rn(fminf(__bfloat162float(a), __bfloat162float(b)));
}
WARPLENS_DEVICE bool __hisnan(__nv_bfloat16 x) { return isnan(__bfloat162float(x)); }

#define WARPLENS_BFLOAT_COMPARE(NAME, OP)                       \
  WARPLENS_DEVICE bool NAME(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return __bfloat162float(a) OP __bfloat162float(b);          \
  }                                                             \
  WARPLENS_DEVICE bool operator OP(const __nv_bfloat16& a, const __nv_bfloat16& b) { return NAME(a, b); }
WARPLENS_BFLOAT_COMPARE(__heq, ==)
WARPLENS_BFLOAT_COMPARE(__hne, !=)
WARPLENS_BFLOAT_COMPARE(__hlt, <)
WARPLENS_BFLOAT_COMPARE(__hle, <=)
WARPLENS_BFLOAT_COMPARE(__hgt, >)
WARPLENS_BFLOAT_COMPARE(__hge, >=)
#undef WARPLENS_BFLOAT_COMPARE

#define WARPLENS_BFLOAT_PAIR(NAME)                                             \
  WARPLENS_DEVICE __nv_bfloat162 NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162(NAME(a.x, b.x), NAME(a.y, b.y));                     \
  }
WARPLENS_BFLOAT_PAIR(__hadd)
WARPLENS_BFLOAT_PAIR(__hsub)
WARPLENS_BFLOAT_PAIR(__hmul)
WARPLENS_BFLOAT_PAIR(__hmax)
WARPLENS_BFLOAT_PAIR(__hmin)
#undef WARPLENS_BFLOAT_PAIR
WARPLENS_DEVICE __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
WARPLENS_DEVICE __nv_bfloat162 __hneg2(__nv_bfloat162 v) { return __nv_bfloat162(__hneg(v.x), __hneg(v.y)); }
WARPLENS_DEVICE __nv_bfloat162 __habs2(__nv_bfloat162 v) { return __nv_bfloat162(__habs(v.x), __habs(v.y)); }
WARPLENS_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#define WARPLENS_BFLOAT_OPERATOR(TYPE, OP, OF)                                        \
  WARPLENS_DEVICE TYPE operator OP(const TYPE& a, const TYPE& b) { return OF(a, b); } \
  WARPLENS_DEVICE TYPE& operator OP##=(TYPE& a, const TYPE& b) { return a = OF(a, b); }
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat16, +, __hadd)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat16, -, __hsub)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat16, *, __hmul)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat16, /, __hdiv)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat162, +, __hadd2)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat162, -, __hsub2)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat162, *, __hmul2)
WARPLENS_BFLOAT_OPERATOR(__nv_bfloat162, /, __h2div)
#undef WARPLENS_BFLOAT_OPERATOR
WARPLENS_DEVICE __nv_bfloat16 operator+(const __nv_bfloat16& x) { return x; }
WARPLENS_DEVICE __nv_bfloat16 operator-(const __nv_bfloat16& x) { return __hneg(x); }
WARPLENS_DEVICE __nv_bfloat162 operator-(const __nv_bfloat162& v) { return __hneg2(v); }

#define WARPLENS_BFLOAT_FUNCTION(NAME, OF)                    \
  WARPLENS_DEVICE __nv_bfloat16 h##NAME(__nv_bfloat16 x) {    \
    return __float2bfloat16_rn(OF(__bfloat162float(x)));      \
  }                                                           \
  WARPLENS_DEVICE __nv_bfloat162 h2##NAME(__nv_bfloat162 v) { \
    return __nv_bfloat162(h##NAME(v.x), h##NAME(v.y));        \
  }
WARPLENS_BFLOAT_FUNCTION(sqrt, sqrtf)
WARPLENS_BFLOAT_FUNCTION(rsqrt, rsqrtf)
WARPLENS_BFLOAT_FUNCTION(exp, expf)
WARPLENS_BFLOAT_FUNCTION(exp2, exp2f)
WARPLENS_BFLOAT_FUNCTION(log, logf)
WARPLENS_BFLOAT_FUNCTION(log2, log2f)
WARPLENS_BFLOAT_FUNCTION(sin, sinf)
WARPLENS_BFLOAT_FUNCTION(cos, cosf)
WARPLENS_BFLOAT_FUNCTION(floor, floorf)
WARPLENS_BFLOAT_FUNCTION(ceil, ceilf)
WARPLENS_BFLOAT_FUNCTION(trunc, truncf)
WARPLENS_BFLOAT_FUNCTION(rint, rintf)
#undef WARPLENS_BFLOAT_FUNCTION
#endif
