// Floating-point arithmetic, PTX ISA 9.7.3, except the approximate functions (approximate.cpp). Rounding
// other than to nearest even is set by an op before this one (rounding.cpp), so the functors have only one
// mode.
#include "core/gpu/exec/ops/common.h"
#include "core/gpu/exec/ops/fma_by_double.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/float_lane.h"
#include "core/gpu/exec/ops/lanes.h"

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
struct Fma {
  static float apply(float a, float b, float c) {
#if defined(__wasm__)
    return fma_by_double(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
  }
  static double apply(double a, double b, double c) {
#if !defined(__x86_64__)
    // An ARM processor loses the NaN that an invalid product is added to.
    if (c != c && a == a && b == b) return quiet(c);
#endif
    return __builtin_fma(a, b, c);
  }
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
// If one input is NaN, the result is the other; −0 < +0. With .NaN, any NaN gives NaN.
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
// Of three inputs: of the first two, and then of that and the third.
template <class F, bool Magnitudes>
struct OfThree {
  static float magnitude(float x) { return Magnitudes ? __builtin_fabsf(x) : x; }
  static float apply(float a, float b, float c) {
    return F::apply(F::apply(magnitude(a), magnitude(b)), magnitude(c));
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
    return output<Ftz, Sat>(of_numbers(F::apply(input<Ftz>(x)...), x...));
  }
};
// abs and neg do not change a NaN's sign.
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
// f64 has neither .ftz nor .sat.
template <class F, class T, class... S>
Handlers pick_rounded(const Selector& s) {
  if constexpr (std::is_same_v<T, float>) {
    if (s.sat) {
      return s.ftz ? Lanes<Rounded<F, true, true>, T, S...>::handlers()
                   : Lanes<Rounded<F, false, true>, T, S...>::handlers();
    }
    if (s.ftz) return Lanes<Rounded<F, true, false>, T, S...>::handlers();
  }
  return Lanes<Rounded<F, false, false>, T, S...>::handlers();
}
// Multiplication and division: results that only round up to a normal number are flushed as well.
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
  if constexpr (std::is_same_v<T, float>) {
    if (s.ftz) return Lanes<Signs<F, true>, T, S...>::handlers();
  }
  return Lanes<Signs<F, false>, T, S...>::handlers();
}

template <class F, class T>
Handlers pick_extreme(const Selector& s) {
  if constexpr (std::is_same_v<T, float>) {
    if (s.xorsign) return pick_rounded<XorSign<F>, T, T, T>(s);
    if (s.sources == 3)
      return s.abs ? pick_rounded<OfThree<F, true>, T, T, T, T>(s)
                   : pick_rounded<OfThree<F, false>, T, T, T, T>(s);
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
      return pick_tiny<Div, T, T, T>(s);
    case Opcode::sqrt:
      return pick_rounded<Sqrt, T, T>(s);
    case Opcode::rcp:
      return pick_rounded<Rcp, T, T>(s);
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

Handlers pick_approximate(const Selector& s);  // approximate.cpp

Handlers pick_floating(const Selector& s) {
  using ptx::Modifier;
  if (s.approx || s.full) return pick_approximate(s);
  if (s.type == Modifier::f64) return pick_typed<double>(s);
  return s.type == Modifier::f32 ? pick_typed<float>(s) : Handlers{};
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
