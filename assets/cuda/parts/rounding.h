// Arithmetic with a rounding mode of its own, and conversions: CUDA Math API, "Single (Double) Precision
// Intrinsics" and "Type Casting Intrinsics". Letters: n nearest even, z to zero, u up, d down.
#pragma once

#define WARPLENS_ROUNDED(OP, MODE)                                                         \
  WARPLENS_DEVICE float __f##OP##_r##MODE(float a, float b) {                              \
    float result;                                                                          \
    asm(#OP ".r" WARPLENS_MODE_##MODE ".f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b)); \
    return result;                                                                         \
  }                                                                                        \
  WARPLENS_DEVICE double __d##OP##_r##MODE(double a, double b) {                           \
    double result;                                                                         \
    asm(#OP ".r" WARPLENS_MODE_##MODE ".f64 %0, %1, %2;" : "=d"(result) : "d"(a), "d"(b)); \
    return result;                                                                         \
  }
#define WARPLENS_ROUNDED_ONE(OP, PTX, MODE)                                    \
  WARPLENS_DEVICE float __f##OP##_r##MODE(float a) {                           \
    float result;                                                              \
    asm(PTX ".r" WARPLENS_MODE_##MODE ".f32 %0, %1;" : "=f"(result) : "f"(a)); \
    return result;                                                             \
  }                                                                            \
  WARPLENS_DEVICE double __d##OP##_r##MODE(double a) {                         \
    double result;                                                             \
    asm(PTX ".r" WARPLENS_MODE_##MODE ".f64 %0, %1;" : "=d"(result) : "d"(a)); \
    return result;                                                             \
  }
#define WARPLENS_FMA(MODE)                                                                            \
  WARPLENS_DEVICE float __fmaf_r##MODE(float a, float b, float c) {                                   \
    float result;                                                                                     \
    asm("fma.r" WARPLENS_MODE_##MODE ".f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(c)); \
    return result;                                                                                    \
  }                                                                                                   \
  WARPLENS_DEVICE double __fma_r##MODE(double a, double b, double c) {                                \
    double result;                                                                                    \
    asm("fma.r" WARPLENS_MODE_##MODE ".f64 %0, %1, %2, %3;" : "=d"(result) : "d"(a), "d"(b), "d"(c)); \
    return result;                                                                                    \
  }
#define WARPLENS_CONVERT(NAME, TO, FROM, PTX_TO, PTX_FROM, OUT, IN, MODE, PTX_MODE)     \
  WARPLENS_DEVICE TO NAME##_r##MODE(FROM x) {                                           \
    TO result;                                                                          \
    asm("cvt.r" PTX_MODE "." PTX_TO "." PTX_FROM " %0, %1;" : "=" OUT(result) : IN(x)); \
    return result;                                                                      \
  }
#define WARPLENS_MODE_n "n"
#define WARPLENS_MODE_z "z"
#define WARPLENS_MODE_u "p"
#define WARPLENS_MODE_d "m"
// Between an integer and a float; "i" rounds to an integer.
#define WARPLENS_CONVERSIONS(MODE)                                                                         \
  WARPLENS_CONVERT(__float2int, int, float, "s32", "f32", "r", "f", MODE, WARPLENS_MODE_##MODE "i")        \
  WARPLENS_CONVERT(__float2uint, unsigned int, float, "u32", "f32", "r", "f", MODE,                        \
                   WARPLENS_MODE_##MODE "i")                                                               \
  WARPLENS_CONVERT(__float2ll, long long, float, "s64", "f32", "l", "f", MODE, WARPLENS_MODE_##MODE "i")   \
  WARPLENS_CONVERT(__float2ull, unsigned long long, float, "u64", "f32", "l", "f", MODE,                   \
                   WARPLENS_MODE_##MODE "i")                                                               \
  WARPLENS_CONVERT(__double2int, int, double, "s32", "f64", "r", "d", MODE, WARPLENS_MODE_##MODE "i")      \
  WARPLENS_CONVERT(__double2uint, unsigned int, double, "u32", "f64", "r", "d", MODE,                      \
                   WARPLENS_MODE_##MODE "i")                                                               \
  WARPLENS_CONVERT(__double2ll, long long, double, "s64", "f64", "l", "d", MODE, WARPLENS_MODE_##MODE "i") \
  WARPLENS_CONVERT(__double2ull, unsigned long long, double, "u64", "f64", "l", "d", MODE,                 \
                   WARPLENS_MODE_##MODE "i")                                                               \
  WARPLENS_CONVERT(__int2float, float, int, "f32", "s32", "f", "r", MODE, WARPLENS_MODE_##MODE)            \
  WARPLENS_CONVERT(__uint2float, float, unsigned int, "f32", "u32", "f", "r", MODE, WARPLENS_MODE_##MODE)  \
  WARPLENS_CONVERT(__ll2float, float, long long, "f32", "s64", "f", "l", MODE, WARPLENS_MODE_##MODE)       \
  WARPLENS_CONVERT(__ull2float, float, unsigned long long, "f32", "u64", "f", "l", MODE,                   \
                   WARPLENS_MODE_##MODE)                                                                   \
  WARPLENS_CONVERT(__ll2double, double, long long, "f64", "s64", "d", "l", MODE, WARPLENS_MODE_##MODE)     \
  WARPLENS_CONVERT(__ull2double, double, unsigned long long, "f64", "u64", "d", "l", MODE,                 \
                   WARPLENS_MODE_##MODE)                                                                   \
  WARPLENS_CONVERT(__double2float, float, double, "f32", "f64", "f", "d", MODE, WARPLENS_MODE_##MODE)
#define WARPLENS_ALL_OF(MODE)              \
  WARPLENS_ROUNDED(add, MODE)              \
  WARPLENS_ROUNDED(sub, MODE)              \
  WARPLENS_ROUNDED(mul, MODE)              \
  WARPLENS_ROUNDED(div, MODE)              \
  WARPLENS_ROUNDED_ONE(sqrt, "sqrt", MODE) \
  WARPLENS_ROUNDED_ONE(rcp, "rcp", MODE)   \
  WARPLENS_FMA(MODE)                       \
  WARPLENS_CONVERSIONS(MODE)
WARPLENS_ALL_OF(n)
WARPLENS_ALL_OF(z)
WARPLENS_ALL_OF(u)
WARPLENS_ALL_OF(d)
#undef WARPLENS_ALL_OF
#undef WARPLENS_CONVERSIONS
#undef WARPLENS_CONVERT
#undef WARPLENS_FMA
#undef WARPLENS_ROUNDED_ONE
#undef WARPLENS_ROUNDED
WARPLENS_DEVICE double __int2double_rn(int x) { return x; }
WARPLENS_DEVICE double __uint2double_rn(unsigned int x) { return x; }
WARPLENS_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
WARPLENS_DEVICE float __frsqrt_rn(float x) { return 1.0f / __nvvm_sqrt_rn_f(x); }
