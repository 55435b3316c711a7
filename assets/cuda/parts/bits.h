// Integer and bit intrinsics, and the bits of numbers: CUDA Math API, "Integer Intrinsics" and "Type Casting
// Intrinsics".
#pragma once

WARPLENS_BOTH int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WARPLENS_BOTH unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
WARPLENS_BOTH float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WARPLENS_BOTH float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
WARPLENS_BOTH long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
WARPLENS_BOTH double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WARPLENS_BOTH int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
WARPLENS_BOTH int __double2loint(double x) { return int(__double_as_longlong(x)); }
WARPLENS_BOTH double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)(high) << 32 | (unsigned int)(low));
}

WARPLENS_BOTH int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)(x)); }
WARPLENS_BOTH int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)(x)); }
WARPLENS_BOTH int __ffs(int x) { return __builtin_ffs(x); }
WARPLENS_BOTH int __ffsll(long long x) { return __builtin_ffsll(x); }
WARPLENS_BOTH int __popc(unsigned int x) { return __builtin_popcount(x); }
WARPLENS_BOTH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WARPLENS_BOTH unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
WARPLENS_BOTH unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
WARPLENS_BOTH int __mulhi(int a, int b) { return int((long long)(a)*b >> 32); }
WARPLENS_BOTH unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)(a)*b >> 32);
}
WARPLENS_BOTH long long __mul64hi(long long a, long long b) { return (long long)((__int128)(a)*b >> 64); }
WARPLENS_BOTH unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)(a)*b >> 64);
}
WARPLENS_BOTH int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
WARPLENS_BOTH unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
WARPLENS_BOTH int __hadd(int a, int b) { return int(((long long)(a) + b) >> 1); }
WARPLENS_BOTH int __rhadd(int a, int b) { return int(((long long)(a) + b + 1) >> 1); }
WARPLENS_BOTH unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)(a) + b) >> 1);
}
WARPLENS_BOTH unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)(a) + b + 1) >> 1);
}
WARPLENS_BOTH unsigned int __sad(int a, int b, unsigned int c) {
  return c + (unsigned int)(a > b ? (long long)(a)-b : (long long)(b)-a);
}
WARPLENS_BOTH unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a > b ? a - b : b - a);
}
WARPLENS_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  unsigned int result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(selector));
  return result;
}
#define WARPLENS_FUNNEL(NAME, MODE)                                                            \
  WARPLENS_DEVICE unsigned int NAME(unsigned int low, unsigned int high, unsigned int shift) { \
    unsigned int result;                                                                       \
    asm("shf." MODE ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));  \
    return result;                                                                             \
  }
WARPLENS_FUNNEL(__funnelshift_l, "l.wrap")
WARPLENS_FUNNEL(__funnelshift_lc, "l.clamp")
WARPLENS_FUNNEL(__funnelshift_r, "r.wrap")
WARPLENS_FUNNEL(__funnelshift_rc, "r.clamp")
#undef WARPLENS_FUNNEL
#define WARPLENS_DOT(NAME, A, B, TYPES)                                            \
  WARPLENS_DEVICE A NAME(A a, B b, A c) {                                          \
    A result;                                                                      \
    asm("dp4a." TYPES " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
    return result;                                                                 \
  }
WARPLENS_DOT(__dp4a, int, int, "s32.s32")
WARPLENS_DOT(__dp4a, unsigned int, unsigned int, "u32.u32")
#undef WARPLENS_DOT
#define WARPLENS_DOT_OF_PAIRS(NAME, TYPE, PTX)                                   \
  WARPLENS_DEVICE TYPE NAME(TYPE a, TYPE b, TYPE c) {                            \
    TYPE result;                                                                 \
    asm("dp2a." PTX " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
    return result;                                                               \
  }
WARPLENS_DOT_OF_PAIRS(__dp2a_lo, int, "lo.s32.s32")
WARPLENS_DOT_OF_PAIRS(__dp2a_lo, unsigned int, "lo.u32.u32")
WARPLENS_DOT_OF_PAIRS(__dp2a_hi, int, "hi.s32.s32")
WARPLENS_DOT_OF_PAIRS(__dp2a_hi, unsigned int, "hi.u32.u32")
#undef WARPLENS_DOT_OF_PAIRS

// The place of the n-th bit that is set, from `from` upwards, or downwards if n is negative; for 0 `from`
// itself, if its bit is set. ~0 if there is none.
WARPLENS_DEVICE unsigned int __fns(unsigned int mask, unsigned int from, int n) {
  if (n == 0) return mask >> (from & 31) & 1 ? from & 31 : ~0u;
  const int step = n < 0 ? -1 : 1;
  for (int at = int(from & 31), left = n * step; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0) return (unsigned int)(at);
  return ~0u;
}

// min and max of each pair of types that C++ would have to convert: CUDA's own rules (unsigned wins, wider
// wins).
#define WARPLENS_MIN_MAX(TYPE, A, B)                                                         \
  WARPLENS_BOTH TYPE min(A a, B b) { return (TYPE)(a) < (TYPE)(b) ? (TYPE)(a) : (TYPE)(b); } \
  WARPLENS_BOTH TYPE max(A a, B b) { return (TYPE)(a) > (TYPE)(b) ? (TYPE)(a) : (TYPE)(b); }
WARPLENS_MIN_MAX(int, int, int)
WARPLENS_MIN_MAX(unsigned int, unsigned int, unsigned int)
WARPLENS_MIN_MAX(unsigned int, int, unsigned int)
WARPLENS_MIN_MAX(unsigned int, unsigned int, int)
WARPLENS_MIN_MAX(long, long, long)
WARPLENS_MIN_MAX(unsigned long, unsigned long, unsigned long)
WARPLENS_MIN_MAX(unsigned long, long, unsigned long)
WARPLENS_MIN_MAX(unsigned long, unsigned long, long)
WARPLENS_MIN_MAX(long long, long long, long long)
WARPLENS_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WARPLENS_MIN_MAX(unsigned long long, long long, unsigned long long)
WARPLENS_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef WARPLENS_MIN_MAX
WARPLENS_BOTH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
WARPLENS_BOTH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
WARPLENS_BOTH long long llmin(long long a, long long b) { return min(a, b); }
WARPLENS_BOTH long long llmax(long long a, long long b) { return max(a, b); }
WARPLENS_DEVICE int abs(int x) { return x < 0 ? -x : x; }
WARPLENS_DEVICE long labs(long x) { return x < 0 ? -x : x; }
WARPLENS_DEVICE long abs(long x) { return labs(x); }
WARPLENS_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
WARPLENS_DEVICE long long abs(long long x) { return llabs(x); }
