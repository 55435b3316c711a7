// One lane's floating point as PTX defines it: canonical NaN, flush to zero, saturation (PTX ISA 9.7.3).
#pragma once

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

// 32-bit NaN results are 0x7fffffff on every GPU.
inline float canonical(float x) { return x != x ? std::bit_cast<float>(0x7fffffffu) : x; }
inline double canonical(double x) { return x; }
// A 64-bit NaN keeps its bits in sign operations and rounding, but becomes quiet.
inline float quiet(float x) { return canonical(x); }
inline double quiet(double x) {
  return x != x ? std::bit_cast<double>(std::bit_cast<uint64_t>(x) | uint64_t{1} << 51) : x;
}

// The result of an invalid operation on numbers (∞ − ∞, √−1). On a GPU, as on x86, it is the quiet NaN with
// its sign bit set. ARM processors clear the sign.
template <class... T>
inline float of_numbers(float result, T...) {
  return result;  // canonical() follows
}
template <class... T>
inline double of_numbers(double result, [[maybe_unused]] T... x) {
#if defined(__x86_64__)
  return result;
#else
  return result != result && (... && (x == x)) ? std::bit_cast<double>(uint64_t{0xfff8} << 48) : result;
#endif
}

// .ftz: subnormals become zero of the same sign.
inline float flush(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : x;
}
inline double flush(double x) { return x; }

// .sat: to [0, 1]; NaN becomes +0.
template <class T>
inline T saturate(T x) {
  return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}

template <bool Ftz, class T>
inline T input(T x) {
  if constexpr (Ftz) return flush(x);
  return x;
}
template <bool Ftz, bool Sat, class T>
inline T output(T x) {
  if constexpr (Ftz) x = flush(x);
  if constexpr (Sat) return saturate(x);
  return canonical(x);
}

struct Mul {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};

// .ftz flushes results that are below the normal range before rounding, also a product that would round up to
// the smallest normal number. The product is scaled by 2^32, so that it rounds as if the exponent were
// unlimited.
template <class F, bool Sat>
struct Flushed {
  static constexpr float scale = 0x1p32f;
  static float scaled(float a, float b) { return F::apply(a * scale, b); }
  static float scaled(float a, float b, float c) { return F::apply(a * scale, b, c * scale); }
  template <class... T>
  static float apply(T... x) {
    const float result = F::apply(flush(x)...);
    const bool tiny = __builtin_fabsf(scaled(flush(x)...)) < 0x1p-94f;
    return output<true, Sat>(tiny ? __builtin_copysignf(0.0f, result) : result);
  }
};

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
