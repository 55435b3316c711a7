#pragma once
// The compiler has the functions themselves.
namespace std {
using ::abs, ::fabs, ::sqrt, ::cbrt, ::hypot, ::exp, ::exp2, ::expm1, ::log, ::log2, ::log10, ::log1p, ::pow;
using ::erf, ::erfc, ::tgamma, ::lgamma, ::copysign, ::ldexp, ::frexp, ::modf, ::isnan, ::isinf, ::isfinite,
    ::signbit;
using ::floor, ::ceil, ::trunc, ::round, ::rint, ::nearbyint, ::fmod, ::remainder, ::fmin, ::fmax, ::fma,
    ::fdim;
using ::sin, ::cos, ::tan, ::asin, ::acos, ::atan, ::atan2, ::sinh, ::cosh, ::tanh, ::asinh, ::acosh, ::atanh;
using ::sqrtf, ::fabsf, ::powf, ::expf, ::logf, ::sinf, ::cosf, ::tanf, ::floorf, ::ceilf, ::roundf, ::fminf,
    ::fmaxf, ::fmaf;
}  // namespace std
