// CUDA Math API: float and double functions. What one PTX instruction does exactly or to the last bit is that
// instruction (PTX ISA, "Floating Point Instructions"); the rest is libclc's, whose OpenCL functions have the
// names of C++'s overloads. docs/clang.md has their errors.
#pragma once

// ---- by one instruction
WARPLENS_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
WARPLENS_DEVICE double fabs(double x) { return __builtin_fabs(x); }
WARPLENS_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPLENS_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WARPLENS_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
WARPLENS_DEVICE double fmax(double a, double b) { return __builtin_fmax(a, b); }
WARPLENS_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
WARPLENS_DEVICE double fmin(double a, double b) { return __builtin_fmin(a, b); }
WARPLENS_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
WARPLENS_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
WARPLENS_DEVICE float floorf(float x) { return __nvvm_floor_f(x); }
WARPLENS_DEVICE double floor(double x) { return __nvvm_floor_d(x); }
WARPLENS_DEVICE float ceilf(float x) { return __nvvm_ceil_f(x); }
WARPLENS_DEVICE double ceil(double x) { return __nvvm_ceil_d(x); }
WARPLENS_DEVICE float truncf(float x) { return __nvvm_trunc_f(x); }
WARPLENS_DEVICE double trunc(double x) { return __nvvm_trunc_d(x); }
#define WARPLENS_ROUND_EVEN(NAME, TYPE, PTX, REGISTER)                           \
  WARPLENS_DEVICE TYPE NAME(TYPE x) {                                            \
    TYPE result;                                                                 \
    asm("cvt.rni." PTX "." PTX " %0, %1;" : "=" REGISTER(result) : REGISTER(x)); \
    return result;                                                               \
  }
WARPLENS_ROUND_EVEN(rintf, float, "f32", "f")
WARPLENS_ROUND_EVEN(rint, double, "f64", "d")
#undef WARPLENS_ROUND_EVEN
WARPLENS_DEVICE float nearbyintf(float x) { return rintf(x); }
WARPLENS_DEVICE double nearbyint(double x) { return rint(x); }
WARPLENS_DEVICE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
WARPLENS_DEVICE double copysign(double a, double b) { return __builtin_copysign(a, b); }
// Away from zero at halves, as C's round does; from 2^23 (2^52) on every number is whole.
WARPLENS_DEVICE float roundf(float x) {
  const float whole = truncf(x);
  return fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : copysignf(whole, x);
}
WARPLENS_DEVICE double round(double x) {
  const double whole = trunc(x);
  return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : copysign(whole, x);
}
WARPLENS_DEVICE long lrintf(float x) { return long(rintf(x)); }
WARPLENS_DEVICE long lrint(double x) { return long(rint(x)); }
WARPLENS_DEVICE long long llrintf(float x) { return (long long)(rintf(x)); }
WARPLENS_DEVICE long long llrint(double x) { return (long long)(rint(x)); }
WARPLENS_DEVICE long lroundf(float x) { return long(roundf(x)); }
WARPLENS_DEVICE long lround(double x) { return long(round(x)); }
WARPLENS_DEVICE long long llroundf(float x) { return (long long)(roundf(x)); }
WARPLENS_DEVICE long long llround(double x) { return (long long)(round(x)); }
WARPLENS_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
WARPLENS_DEVICE double rsqrt(double x) { return 1.0 / __nvvm_sqrt_rn_d(x); }
WARPLENS_DEVICE float saturatef(float x) { return __nvvm_saturate_f(x); }
WARPLENS_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
WARPLENS_DEVICE float fdimf(float a, float b) { return a > b ? a - b : a <= b ? 0.0f : a + b; }
WARPLENS_DEVICE double fdim(double a, double b) { return a > b ? a - b : a <= b ? 0.0 : a + b; }
WARPLENS_DEVICE float fdividef(float a, float b) { return a / b; }

// ---- libclc's, by their C++ names
#define WARPLENS_ONE(NAME)        \
  __device__ float NAME(float);   \
  __device__ double NAME(double); \
  WARPLENS_DEVICE float NAME##f(float x) { return NAME(x); }
#define WARPLENS_TWO(NAME)                \
  __device__ float NAME(float, float);    \
  __device__ double NAME(double, double); \
  WARPLENS_DEVICE float NAME##f(float a, float b) { return NAME(a, b); }
WARPLENS_ONE(sin)
WARPLENS_ONE(cos)
WARPLENS_ONE(tan)
WARPLENS_ONE(asin)
WARPLENS_ONE(acos)
WARPLENS_ONE(atan)
WARPLENS_ONE(sinh)
WARPLENS_ONE(cosh)
WARPLENS_ONE(tanh)
WARPLENS_ONE(asinh)
WARPLENS_ONE(acosh)
WARPLENS_ONE(atanh)
WARPLENS_ONE(sinpi)
WARPLENS_ONE(cospi)
WARPLENS_ONE(exp)
WARPLENS_ONE(exp2)
WARPLENS_ONE(exp10)
WARPLENS_ONE(expm1)
WARPLENS_ONE(log)
WARPLENS_ONE(log2)
WARPLENS_ONE(log10)
WARPLENS_ONE(log1p)
WARPLENS_ONE(cbrt)
WARPLENS_ONE(erf)
WARPLENS_ONE(erfc)
WARPLENS_ONE(tgamma)
WARPLENS_ONE(lgamma)
WARPLENS_ONE(logb)
WARPLENS_TWO(pow)
WARPLENS_TWO(atan2)
WARPLENS_TWO(fmod)
WARPLENS_TWO(hypot)
WARPLENS_TWO(remainder)
WARPLENS_TWO(nextafter)
#undef WARPLENS_ONE
#undef WARPLENS_TWO
__device__ float ldexp(float, int);
__device__ double ldexp(double, int);
__device__ int ilogb(float);
__device__ int ilogb(double);
WARPLENS_DEVICE float ldexpf(float x, int n) { return ldexp(x, n); }
WARPLENS_DEVICE float scalbnf(float x, int n) { return ldexp(x, n); }
WARPLENS_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
WARPLENS_DEVICE float scalblnf(float x, long n) { return ldexp(x, int(n)); }
WARPLENS_DEVICE int ilogbf(float x) { return ilogb(x); }
WARPLENS_DEVICE void sincosf(float x, float* s, float* c) {
  *s = sin(x);
  *c = cos(x);
}
WARPLENS_DEVICE void sincos(double x, double* s, double* c) {
  *s = sin(x);
  *c = cos(x);
}
WARPLENS_DEVICE void sincospif(float x, float* s, float* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
WARPLENS_DEVICE void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
WARPLENS_DEVICE float rcbrtf(float x) { return 1.0f / cbrt(x); }
WARPLENS_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
WARPLENS_DEVICE float rhypotf(float a, float b) { return 1.0f / hypot(a, b); }
WARPLENS_DEVICE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
WARPLENS_DEVICE float powif(float x, int n) { return pow(x, float(n)); }
WARPLENS_DEVICE double powi(double x, int n) { return pow(x, double(n)); }
WARPLENS_DEVICE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
WARPLENS_DEVICE double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
WARPLENS_DEVICE float normcdff(float x) { return float(0.5 * erfc(-0.70710678118654752440 * double(x))); }
// In the tail a last place of the argument is many of the result: what its product is off is added to first
// order.
WARPLENS_DEVICE double normcdf(double x) {
  const double root = -0.70710678118654752440, root_rest = 4.8336466567264567e-17, at = root * x;
  const double rest = fma(root, x, -at) + root_rest * x;
  const double slope = -1.12837916709551257390 * exp(-at * at);
  return 0.5 * (rest == rest ? fma(slope, rest, erfc(at)) : erfc(at));
}
WARPLENS_DEVICE float normcdf(float x) { return normcdff(x); }
WARPLENS_DEVICE float modff(float x, float* whole) {
  *whole = truncf(x);
  return copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
WARPLENS_DEVICE double modf(double x, double* whole) {
  *whole = trunc(x);
  return copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
WARPLENS_DEVICE float frexpf(float x, int* exponent) {
  if (x == 0 || __builtin_isinf(x) || __builtin_isnan(x)) {
    *exponent = 0;
    return x;
  }
  *exponent = ilogb(x) + 1;
  return ldexp(x, -*exponent);
}
WARPLENS_DEVICE double frexp(double x, int* exponent) {
  if (x == 0 || __builtin_isinf(x) || __builtin_isnan(x)) {
    *exponent = 0;
    return x;
  }
  *exponent = ilogb(x) + 1;
  return ldexp(x, -*exponent);
}
WARPLENS_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
WARPLENS_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
WARPLENS_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
WARPLENS_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
WARPLENS_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
WARPLENS_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
WARPLENS_DEVICE bool signbit(float x) { return __builtin_signbitf(x) != 0; }
WARPLENS_DEVICE bool signbit(double x) { return __builtin_signbit(x) != 0; }
WARPLENS_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
WARPLENS_DEVICE double nan(const char*) { return __builtin_nan(""); }

// ---- the overloads of C++: abs, sqrt and the others take the type of their argument
WARPLENS_DEVICE float abs(float x) { return fabsf(x); }
WARPLENS_DEVICE double abs(double x) { return fabs(x); }
WARPLENS_DEVICE float fabs(float x) { return fabsf(x); }
WARPLENS_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
WARPLENS_DEVICE float sqrt(float x) { return sqrtf(x); }
WARPLENS_DEVICE float rsqrt(float x) { return rsqrtf(x); }
WARPLENS_DEVICE float floor(float x) { return floorf(x); }
WARPLENS_DEVICE float ceil(float x) { return ceilf(x); }
WARPLENS_DEVICE float trunc(float x) { return truncf(x); }
WARPLENS_DEVICE float round(float x) { return roundf(x); }
WARPLENS_DEVICE float rint(float x) { return rintf(x); }
WARPLENS_DEVICE float copysign(float a, float b) { return copysignf(a, b); }
#define WARPLENS_FLOAT_MIN_MAX(TYPE, A, B, SUFFIX)                                      \
  WARPLENS_BOTH TYPE min(A a, B b) { return __builtin_fmin##SUFFIX(TYPE(a), TYPE(b)); } \
  WARPLENS_BOTH TYPE max(A a, B b) { return __builtin_fmax##SUFFIX(TYPE(a), TYPE(b)); }
WARPLENS_FLOAT_MIN_MAX(float, float, float, f)
WARPLENS_FLOAT_MIN_MAX(double, double, double, )
WARPLENS_FLOAT_MIN_MAX(double, float, double, )
WARPLENS_FLOAT_MIN_MAX(double, double, float, )
#undef WARPLENS_FLOAT_MIN_MAX
WARPLENS_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
WARPLENS_DEVICE float fmin(float a, float b) { return fminf(a, b); }
// Functions of whole numbers are those of double.
#define WARPLENS_OF_WHOLE(NAME)                                           \
  WARPLENS_DEVICE double NAME(int x) { return NAME(double(x)); }          \
  WARPLENS_DEVICE double NAME(unsigned int x) { return NAME(double(x)); } \
  WARPLENS_DEVICE double NAME(long long x) { return NAME(double(x)); }
WARPLENS_OF_WHOLE(sqrt)
WARPLENS_OF_WHOLE(sin)
WARPLENS_OF_WHOLE(cos)
WARPLENS_OF_WHOLE(exp)
WARPLENS_OF_WHOLE(log)
WARPLENS_OF_WHOLE(floor)
WARPLENS_OF_WHOLE(ceil)
#undef WARPLENS_OF_WHOLE
WARPLENS_DEVICE double pow(double x, int n) { return pow(x, double(n)); }
WARPLENS_DEVICE float pow(float x, int n) { return pow(x, float(n)); }
WARPLENS_DEVICE double pow(int x, int n) { return pow(double(x), double(n)); }
WARPLENS_DEVICE double pow(double x, float n) { return pow(x, double(n)); }
WARPLENS_DEVICE double pow(float x, double n) { return pow(double(x), n); }
WARPLENS_DEVICE double pow(int x, double n) { return pow(double(x), n); }

// ---- the fast ones: CUDA C++ Programming Guide, "Intrinsic Functions"
WARPLENS_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
WARPLENS_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
WARPLENS_DEVICE float __tanf(float x) { return __nvvm_div_approx_f(__sinf(x), __cosf(x)); }
WARPLENS_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.44269504f); }
WARPLENS_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
WARPLENS_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
WARPLENS_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.693147181f; }
WARPLENS_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.301029996f; }
WARPLENS_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
WARPLENS_DEVICE void __sincosf(float x, float* s, float* c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
