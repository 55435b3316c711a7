// Floating-point arithmetic, PTX ISA 9.7.3 and 9.7.4. Rounding other than to nearest even is set by an op in
// front (rounding.cpp), so the functors know only one.
#include "core/exec/ops/common.h"

#include "core/exec/isa_begin.h"
#include "core/exec/ops/float_lane.h"
#include "core/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Fma {
  static float apply(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct Div {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
};
struct Sqrt {
  static float apply(float a) { return __builtin_sqrtf(a); }
  static double apply(double a) { return __builtin_sqrt(a); }
};
struct Rcp {
  template <class T>
  static T apply(T a) {
    return T{1} / a;
  }
};
// The .approx functions are computed in double and rounded once: within the manual's bounds and the same
// everywhere.
struct Rsqrt {
  static float apply(float a) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
  static double apply(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Sin {
  static float apply(float a) { return static_cast<float>(std::sin(static_cast<double>(a))); }
};
struct Cos {
  static float apply(float a) { return static_cast<float>(std::cos(static_cast<double>(a))); }
};
struct Lg2 {
  static float apply(float a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
};
struct Ex2 {
  static float apply(float a) { return static_cast<float>(std::exp2(static_cast<double>(a))); }
};
struct Tanh {
  static float apply(float a) { return static_cast<float>(std::tanh(static_cast<double>(a))); }
};
// rcp and rsqrt .approx.ftz.f64 look at the upper words alone, and cut the result to one (PTX
// ISA 9.7.3.14, 9.7.3.17).
template <class F>
struct UpperWords {
  static uint64_t flushed(uint64_t bits) {
    constexpr uint64_t sign = uint64_t{1} << 63, exponent = uint64_t{0x7ff} << 52;
    return (bits & exponent) == 0 ? bits & sign : bits;
  }
  static double apply(double a) {
    constexpr uint64_t upper = 0xffffffffull << 32;
    const double value = std::bit_cast<double>(flushed(std::bit_cast<uint64_t>(a) & upper));
    const uint64_t result = flushed(std::bit_cast<uint64_t>(F::apply(value)) & upper);
    const bool is_nan = value != value || (result & ~(uint64_t{1} << 63)) > uint64_t{0x7ff} << 52;
    return std::bit_cast<double>(is_nan ? 0x7fffffffull << 32 : result);
  }
};
struct RsqrtSigned {
  static double apply(double a) { return a == 0 ? 1.0 / a : 1.0 / __builtin_sqrt(a); }
};
struct Neg {
  template <class T>
  static T apply(T a) {
    return -a;
  }
};
struct Abs {
  static float apply(float a) { return __builtin_fabsf(a); }
  static double apply(double a) { return __builtin_fabs(a); }
};
// If one input is NaN the other is the result; −0 < +0. With .NaN, any NaN gives NaN.
template <bool PassNan>
struct Min {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (PassNan) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
    }
    const bool take_a = a < b || b != b || (a == b && std::signbit(a));
    return quiet(take_a ? a : b);
  }
};
template <bool PassNan>
struct Max {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (PassNan) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
    }
    const bool take_a = a > b || b != b || (a == b && !std::signbit(a));
    return quiet(take_a ? a : b);
  }
};
// .xorsign.abs compares magnitudes and combines the signs.
template <class F>
struct XorSign {
  static float apply(float a, float b) {
    const float result = F::apply(__builtin_fabsf(a), __builtin_fabsf(b));
    const uint32_t sign = (std::bit_cast<uint32_t>(a) ^ std::bit_cast<uint32_t>(b)) & 0x80000000u;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(result) | sign);
  }
};
// copysign d, a, b: the sign of a, the magnitude of b.
struct Copysign {
  static float apply(float a, float b) { return __builtin_copysignf(b, a); }
  static double apply(double a, double b) { return __builtin_copysign(b, a); }
};

template <class F, bool Ftz, bool Sat>
struct Rounded {
  template <class... T>
  static auto apply(T... x) {
    return output<Ftz, Sat>(F::apply(input<Ftz>(x)...));
  }
};
// .ftz flushes what is below the normal range before rounding; a product that rounds up to the smallest
// normal number is flushed too. Scaled by 2^32 it rounds as if the exponent had no end.
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
// abs and neg leave a NaN's sign alone.
template <class F, bool Ftz>
struct Signs {
  template <class T>
  static T apply(T x) {
    return x != x ? quiet(x) : F::apply(input<Ftz>(x));
  }
};
// copysign only moves bits.
template <class F>
struct Bitwise {
  template <class... T>
  static auto apply(T... x) {
    return F::apply(x...);
  }
};
// div.approx multiplies by the reciprocal, which is 0 for divisors beyond 2^126 (PTX ISA 9.7.3.8).
struct DivApprox {
  static float apply(float a, float b) {
    const float size = __builtin_fabsf(b);
    const bool beyond = size > 0x1p126f && size <= std::numeric_limits<float>::max();
    return beyond ? a * __builtin_copysignf(0.0f, b) : a / b;
  }
};

template <class F, class T, class... S>
Handlers pick_rounded(const Selector& s) {
  if (s.ftz) {
    return s.sat ? Lanes<Rounded<F, true, true>, T, S...>::handlers()
                 : Lanes<Rounded<F, true, false>, T, S...>::handlers();
  }
  return s.sat ? Lanes<Rounded<F, false, true>, T, S...>::handlers()
               : Lanes<Rounded<F, false, false>, T, S...>::handlers();
}
// Multiplication and division: what only rounds up to a normal number is flushed as well.
template <class F, class T, class... S>
Handlers pick_tiny(const Selector& s) {
  if constexpr (std::is_same_v<T, float>) {
    if (s.ftz) {
      return s.sat ? Lanes<Flushed<F, true>, T, S...>::handlers()
                   : Lanes<Flushed<F, false>, T, S...>::handlers();
    }
  }
  return pick_rounded<F, T, S...>(s);
}
template <class F, class T, class... S>
Handlers pick_signs(const Selector& s) {
  return s.ftz ? Lanes<Signs<F, true>, T, S...>::handlers() : Lanes<Signs<F, false>, T, S...>::handlers();
}

template <class F, class T>
Handlers pick_extreme(const Selector& s) {
  if constexpr (std::is_same_v<T, float>) {
    if (s.xorsign) return pick_rounded<XorSign<F>, T, T, T>(s);
  }
  return pick_rounded<F, T, T, T>(s);
}

template <class T>
Handlers pick_typed(const Selector& s) {
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::add:
      return pick_rounded<Add, T, T, T>(s);
    case Opcode::sub:
      return pick_rounded<Sub, T, T, T>(s);
    case Opcode::mul:
      return pick_tiny<Mul, T, T, T>(s);
    case Opcode::fma:
    case Opcode::mad:
      return pick_tiny<Fma, T, T, T, T>(s);
    case Opcode::div:
      if constexpr (std::is_same_v<T, float>) {
        if (s.approx) return pick_rounded<DivApprox, T, T, T>(s);
      }
      return pick_tiny<Div, T, T, T>(s);
    case Opcode::sqrt:
      return pick_rounded<Sqrt, T, T>(s);
    case Opcode::rcp:
      if constexpr (std::is_same_v<T, double>) {
        if (s.approx) return Lanes<UpperWords<Rcp>, T, T>::handlers();
      }
      return pick_rounded<Rcp, T, T>(s);
    case Opcode::rsqrt:
      if constexpr (std::is_same_v<T, double>) {
        if (s.ftz) return Lanes<UpperWords<RsqrtSigned>, T, T>::handlers();
      }
      return pick_rounded<Rsqrt, T, T>(s);
    case Opcode::min:
      return s.nan ? pick_extreme<Min<true>, T>(s) : pick_extreme<Min<false>, T>(s);
    case Opcode::max:
      return s.nan ? pick_extreme<Max<true>, T>(s) : pick_extreme<Max<false>, T>(s);
    case Opcode::neg:
      return pick_signs<Neg, T, T>(s);
    case Opcode::abs:
      return pick_signs<Abs, T, T>(s);
    case Opcode::copysign:
      return Lanes<Bitwise<Copysign>, T, T, T>::handlers();
    default:
      return {};
  }
}

}  // namespace

Handlers pick_floating(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  if (s.type == Modifier::f64) return pick_typed<double>(s);
  if (s.type != Modifier::f32) return {};
  switch (s.opcode) {
    case Opcode::sin:
      return pick_rounded<Sin, float, float>(s);
    case Opcode::cos:
      return pick_rounded<Cos, float, float>(s);
    case Opcode::lg2:
      return pick_rounded<Lg2, float, float>(s);
    case Opcode::ex2:
      return pick_rounded<Ex2, float, float>(s);
    case Opcode::tanh:
      return pick_rounded<Tanh, float, float>(s);
    default:
      return pick_typed<float>(s);
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/exec/isa_end.h"
