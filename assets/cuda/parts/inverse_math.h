// CUDA Math API: inverses of the error function and of the normal distribution, which libclc has not. By
// Wichura, Algorithm AS 241: The percentage points of the normal distribution (1988), PPND16. docs/clang.md
// has their errors.
#pragma once

WARPLENS_DEVICE double warplens_polynomial(double, double last) { return last; }
template <class... Rest>
WARPLENS_DEVICE double warplens_polynomial(double x, double first, Rest... rest) {
  return fma(warplens_polynomial(x, rest...), x, first);
}
// The point at which the normal distribution is 1/2 + off; `tail` is what is left on the nearer side of it.
WARPLENS_DEVICE double warplens_normal_point(double off, double tail) {
  if (fabs(off) <= 0.425) {
    const double r = 0.180625 - off * off;
    return off *
           warplens_polynomial(r, 3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427,
                               13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                               33430.575583588128105, 2509.0809287301226727) /
           warplens_polynomial(r, 1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
                               21213.794301586595867, 39307.895800092710610, 28729.085735721942674,
                               5226.4952788528545610);
  }
  if (tail == 0) return copysign(__builtin_inf(), off);
  double r = sqrt(-log(tail)), point;
  if (r <= 5) {
    r -= 1.6;
    point = warplens_polynomial(r, 1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
                                3.64784832476320460504, 1.27045825245236838258, 0.241780725177450611770,
                                0.0227238449892691845833, 7.74545014278341407640e-4) /
            warplens_polynomial(r, 1.0, 2.05319162663775882187, 1.67638483018380384940,
                                0.689767334985100004550, 0.148103976427480074590, 0.0151986665636164571966,
                                5.47593808499534494600e-4, 1.05075007164441684324e-9);
  } else {
    r -= 5;
    point =
        warplens_polynomial(r, 6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
                            0.296560571828504891230, 0.0265321895265761230930, 0.00124266094738807843860,
                            2.71155556874348757815e-5, 2.01033439929228813265e-7) /
        warplens_polynomial(r, 1.0, 0.599832206555887937690, 0.136929880922735805310,
                            0.0148753612908506148525, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                            1.42151175831644588870e-7, 2.04426310338993978564e-15);
  }
  return copysign(point, off);
}

WARPLENS_DEVICE double normcdfinv(double p) { return warplens_normal_point(p - 0.5, p < 0.5 ? p : 1 - p); }
WARPLENS_DEVICE double erfinv(double x) {
  return 0.70710678118654752440 * warplens_normal_point(0.5 * x, 0.5 * (1 - fabs(x)));
}
WARPLENS_DEVICE double erfcinv(double x) {
  return 0.70710678118654752440 * warplens_normal_point(0.5 * (1 - x), 0.5 * (x < 1 ? x : 2 - x));
}
WARPLENS_DEVICE float normcdfinvf(float p) { return float(normcdfinv(double(p))); }
WARPLENS_DEVICE float erfinvf(float x) { return float(erfinv(double(x))); }
WARPLENS_DEVICE float erfcinvf(float x) { return float(erfcinv(double(x))); }
WARPLENS_DEVICE float normcdfinv(float p) { return normcdfinvf(p); }
WARPLENS_DEVICE float erfinv(float x) { return erfinvf(x); }
WARPLENS_DEVICE float erfcinv(float x) { return erfcinvf(x); }
