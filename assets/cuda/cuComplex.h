// Complex numbers of CUDA's libraries, for C and C++, on the host and in kernels.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CU_COMPLEX_H_
#ifdef __CUDA__
#include "warplens_cuda.h"
#endif
#include <math.h>

#include "driver_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WARPLENS_COMPLEX static __host__ __device__ WARPLENS_UNSEEN
// Quotients are scaled, so that squares neither overflow nor vanish.
#define WARPLENS_COMPLEX_FUNCTIONS(Real, Complex, make, suffix, hypotenuse, size)                      \
  WARPLENS_COMPLEX Complex make(Real re, Real im) {                                                    \
    Complex made;                                                                                      \
    made.x = re;                                                                                       \
    made.y = im;                                                                                       \
    return made;                                                                                       \
  }                                                                                                    \
  WARPLENS_COMPLEX Real cuCreal##suffix(Complex a) { return a.x; }                                     \
  WARPLENS_COMPLEX Real cuCimag##suffix(Complex a) { return a.y; }                                     \
  WARPLENS_COMPLEX Complex cuConj##suffix(Complex a) { return make(a.x, -a.y); }                       \
  WARPLENS_COMPLEX Complex cuCadd##suffix(Complex a, Complex b) { return make(a.x + b.x, a.y + b.y); } \
  WARPLENS_COMPLEX Complex cuCsub##suffix(Complex a, Complex b) { return make(a.x - b.x, a.y - b.y); } \
  WARPLENS_COMPLEX Complex cuCmul##suffix(Complex a, Complex b) {                                      \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                         \
  }                                                                                                    \
  WARPLENS_COMPLEX Complex cuCdiv##suffix(Complex a, Complex b) {                                      \
    const Real scale = 1 / (size(b.x) + size(b.y));                                                    \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                 \
    const Real by_square = 1 / (bx * bx + by * by);                                                    \
    return make((ax * bx + ay * by) * by_square, (ay * bx - ax * by) * by_square);                     \
  }                                                                                                    \
  WARPLENS_COMPLEX Real cuCabs##suffix(Complex a) { return hypotenuse(a.x, a.y); }                     \
  WARPLENS_COMPLEX Complex cuCfma##suffix(Complex a, Complex b, Complex c) {                           \
    return make(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                             \
  }
WARPLENS_COMPLEX_FUNCTIONS(float, cuFloatComplex, make_cuFloatComplex, f, hypotf, fabsf)
WARPLENS_COMPLEX_FUNCTIONS(double, cuDoubleComplex, make_cuDoubleComplex, , hypot, fabs)

WARPLENS_COMPLEX cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
WARPLENS_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex(a.x, a.y);
}
WARPLENS_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}
#undef WARPLENS_COMPLEX_FUNCTIONS
#undef WARPLENS_COMPLEX
