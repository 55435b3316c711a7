// CUDA Math API: Bessel functions, which libclc has not. Below 25 by the recurrence from high orders down
// (Miller, Bessel functions, part II, 1952) and Neumann's series (Abramowitz and Stegun, Handbook of
// mathematical functions, 9.1.88); from 25 on by Hankel's asymptotic expansion (9.2.5 to 9.2.10, 9.7.1).
// docs/clang.md has their errors.
#pragma once

// The functions of orders 0 and 1 at one x above 0.
struct WarplensBessel {
  double j0, j1, y0, y1;
};

WARPLENS_DEVICE WarplensBessel warplens_bessel_near(double x) {
  const double two_over_pi = 0.63661977236758134308, euler = 0.57721566490153286061;
  const double half_logarithm = log(0.5 * x) + euler;
  // Smaller than the last place of 1: only the first terms count.
  if (x < 1e-8)
    return {1, 0.5 * x, two_over_pi * half_logarithm, two_over_pi * (0.5 * x * (half_logarithm - 1) - 1 / x)};
  // The terms of even order add up to 1; the terms of Neumann's series to all but the logarithm.
  double order = 2 * floor(12 + 0.8 * x), above = 0, at = 1e-290, ones = 0, y0 = 0, y1 = 0;
  double sign = fmod(order, 4.0) == 0 ? 1 : -1;
  const double twice_over_x = 2 / x;
#pragma unroll 1
  for (; order > 0; order -= 2) {
    const double half = 0.5 * order, odd = order * twice_over_x * at - above;  // the order below
    ones += 2 * at;
    y0 += sign * at / half;
    if (order > 2) y1 -= sign * (order - 1) / ((half - 1) * half) * odd;
    above = at;
    const double even = (order - 1) * twice_over_x * odd - at;
    above = odd;
    at = even;
    sign = -sign;
  }
  const double scale = 1 / (ones + at), j0 = at * scale, j1 = above * scale;
  return {j0, j1, two_over_pi * (half_logarithm * j0 - 2 * y0 * scale),
          two_over_pi * ((half_logarithm - 1) * j1 - j0 / x - y1 * scale)};
}

// For order 0 (four_squares: 0) or 1 (4): the amplitudes of cosine and sine.
WARPLENS_DEVICE double2 warplens_bessel_far(double x, double four_squares) {
  double term = 1, even = 1, odd = 0;
  const double eighth = 0.125 / x;
#pragma unroll 1
  for (int k = 1; k < 24; k += 2) {
    term *= (four_squares - (2 * k - 1) * (2 * k - 1)) * eighth / k;
    odd += term;
    term *= -(four_squares - (2 * k + 1) * (2 * k + 1)) * eighth / (k + 1);
    even += term;
  }
  return {even, odd};
}

WARPLENS_DEVICE WarplensBessel warplens_bessel(double x) {
  if (x < 25) return warplens_bessel_near(x);
  if (x > 1.7976931348623157e308) return {0, 0, 0, 0};
  const double2 zero = warplens_bessel_far(x, 0), one = warplens_bessel_far(x, 4);
  const double scale = 0.56418958354775628695 / sqrt(x), s = sin(x), c = cos(x);
  // cos(x - π/4) and sin(x - π/4) times √2; of order 1 a quarter of a turn later.
  const double cosine = c + s, sine = s - c;
  return {scale * (zero.x * cosine - zero.y * sine), scale * (one.x * sine + one.y * cosine),
          scale * (zero.x * sine + zero.y * cosine), scale * (one.y * sine - one.x * cosine)};
}

WARPLENS_DEVICE double j0(double x) { return x == 0 ? 1 : warplens_bessel(fabs(x)).j0; }
WARPLENS_DEVICE double j1(double x) { return x == 0 ? x : copysign(1.0, x) * warplens_bessel(fabs(x)).j1; }
WARPLENS_DEVICE double y0(double x) {
  return x < 0 ? __builtin_nan("") : x == 0 ? -__builtin_inf() : warplens_bessel(x).y0;
}
WARPLENS_DEVICE double y1(double x) {
  return x < 0 ? __builtin_nan("") : x == 0 ? -__builtin_inf() : warplens_bessel(x).y1;
}
WARPLENS_DEVICE float j0f(float x) { return float(j0(double(x))); }
WARPLENS_DEVICE float j1f(float x) { return float(j1(double(x))); }
WARPLENS_DEVICE float y0f(float x) { return float(y0(double(x))); }
WARPLENS_DEVICE float y1f(float x) { return float(y1(double(x))); }

// The modified functions of order 0 and 1, at x above 0: computed in the same way; all orders add up to e^x.
WARPLENS_DEVICE double2 warplens_modified_bessel(double x) {
  if (x < 1e-8) return {1, 0.5 * x};
  if (x < 25) {
    double order = 2 * floor(12 + 0.8 * x), above = 0, at = 1e-290, all = 0;
    const double twice_over_x = 2 / x;
#pragma unroll 1
    for (; order > 0; order -= 1) {
      all += 2 * at;
      const double below = order * twice_over_x * at + above;
      above = at;
      at = below;
    }
    const double scale = exp(x) / (all + at);
    return {at * scale, above * scale};
  }
  double term_0 = 1, term_1 = 1, sum_0 = 1, sum_1 = 1;
  const double eighth = 0.125 / x;
#pragma unroll 1
  for (int k = 1; k < 24; ++k) {
    const double square = (2 * k - 1) * (2 * k - 1);
    sum_0 += term_0 *= square * eighth / k;
    sum_1 += term_1 *= (square - 4) * eighth / k;
  }
  // Computed in two halves, since e^x overflows earlier than the result.
  const double half = exp(0.5 * x), scale = 0.39894228040143267794 / sqrt(x) * half;
  return {scale * sum_0 * half, scale * sum_1 * half};
}

WARPLENS_DEVICE double cyl_bessel_i0(double x) { return x == 0 ? 1 : warplens_modified_bessel(fabs(x)).x; }
WARPLENS_DEVICE double cyl_bessel_i1(double x) {
  return x == 0 ? x : copysign(1.0, x) * warplens_modified_bessel(fabs(x)).y;
}
WARPLENS_DEVICE float cyl_bessel_i0f(float x) { return float(cyl_bessel_i0(double(x))); }
WARPLENS_DEVICE float cyl_bessel_i1f(float x) { return float(cyl_bessel_i1(double(x))); }
