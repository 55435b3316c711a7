// Numbers of 16 bits on the host: IEEE 754's binary16, to the nearest, ties to even.
#pragma once

static __host__ inline __half __float2half_rn(float x) {
  unsigned int all;
  __builtin_memcpy(&all, &x, sizeof all);
  const unsigned int sign = all >> 16 & 0x8000, magnitude = all & 0x7fffffff;
  unsigned int bits;
  if (magnitude > 0x7f800000) {
    bits = 0x7fff;
  } else if (magnitude >= 0x47800000) {
    bits = 0x7c00;  // 65536 and above
  } else if (magnitude >= 0x38800000) {
    // Half of the last place, and one less where the kept part is even; what carries over is the exponent's.
    bits = ((magnitude - 0x38000000) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  } else {
    // Below 2^-14 the last place is 2^-24: the sum's is the same.
    float small;
    __builtin_memcpy(&small, &magnitude, sizeof small);
    const float sum = small + 0.5f;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    bits -= 0x3f000000;
  }
  return __half(__half_raw{(unsigned short)(magnitude > 0x7f800000 ? bits : sign | bits)});
}

static __host__ inline float __half2float(__half x) {
  const unsigned int sign = (unsigned int)(x.bits & 0x8000) << 16, exponent = x.bits >> 10 & 31,
                     fraction = x.bits & 0x3ff;
  unsigned int bits = exponent == 31 ? 0x7f800000 | fraction << 13 : (exponent + 112) << 23 | fraction << 13;
  float value;
  if (exponent == 0) {
    value = float(fraction) * 5.9604644775390625e-8f;  // 2^-24
    __builtin_memcpy(&bits, &value, sizeof bits);
  }
  bits |= sign;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
#ifndef __CUDA__
static inline __half __float2half(float x) { return __float2half_rn(x); }
#endif
