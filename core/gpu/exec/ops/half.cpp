// Arithmetic of f16, bf16 and their pairs, PTX ISA 9.7.4. Sums and products are computed in f64, so that
// there is only one rounding to 16 bits. If f64 is not exact, the value is rounded to odd there, which keeps
// that rounding correct.
#include "core/base/half.h"

#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/ops/special_function_lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

struct F16 {
  static constexpr uint16_t infinity = 0x7c00, one = 0x3c00, lowest_normal = 0x0400;
  static float value(uint16_t bits) { return float_of_f16(bits); }
  static constexpr double overflow = 0x1p16;
  static uint16_t rounded(double x) { return f16_of(x); }
  static uint16_t cut(double x) { return f16_of<Rounding::zero>(x); }
};
struct Bf16 {
  static constexpr uint16_t infinity = 0x7f80, one = 0x3f80, lowest_normal = 0x0080;
  static float value(uint16_t bits) { return float_of_bf16(bits); }
  static constexpr double overflow = 0x1p128;
  static uint16_t rounded(double x) { return bf16_of(x); }
  static uint16_t cut(double x) { return bf16_of<Rounding::zero>(x); }
};
constexpr uint16_t not_a_number = 0x7fff, sign_bit = 0x8000;
// The NaN for elements outside of a tensor, with either sign. The manual does not give its bits; they were
// found by testing all NaNs on the H200.
constexpr uint16_t outside_of_tensor = 0x7ff7;

inline uint16_t magnitude(uint16_t x) { return x & 0x7fff; }
template <class F>
inline bool is_nan(uint16_t x) {
  return magnitude(x) > F::infinity;
}
template <class F>
inline uint16_t flush(uint16_t x) {
  return magnitude(x) < F::lowest_normal ? static_cast<uint16_t>(x & sign_bit) : x;
}

// a · b + c. If it is not exact in f64, the neighbour whose last bit is 1. The product of two 16-bit floats
// is exact.
inline double odd_fma(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double part = sum - product, error = (product - (sum - part)) + (c - part);
  const uint64_t bits = std::bit_cast<uint64_t>(sum);
  const bool adjust = (error < 0 || error > 0) && (bits & 1) == 0;
  const bool outward = (error > 0) == (sum > 0);
  return adjust ? std::bit_cast<double>(outward ? bits + 1 : bits - 1) : sum;
}

template <class F>
struct Add {
  static uint16_t apply(uint32_t, uint16_t a, uint16_t b) {
    return F::rounded(odd_fma(double{F::value(a)}, 1.0, double{F::value(b)}));
  }
};
template <class F>
struct Sub {
  static uint16_t apply(uint32_t, uint16_t a, uint16_t b) {
    return F::rounded(odd_fma(double{F::value(a)}, 1.0, -double{F::value(b)}));
  }
};
template <class F>
struct Mul {
  static uint16_t apply(uint32_t, uint16_t a, uint16_t b) {
    return F::rounded(double{F::value(a)} * double{F::value(b)});
  }
};
template <class F>
struct Fma {
  static uint16_t apply(uint32_t, uint16_t a, uint16_t b, uint16_t c) {
    return F::rounded(odd_fma(double{F::value(a)}, double{F::value(b)}, double{F::value(c)}));
  }
};
// If one input is NaN, the result is the other, or NaN with .NaN; −0 < +0. With .xorsign.abs, magnitudes are
// compared and the signs combined.
template <class F, bool Max>
struct Extreme {
  static uint16_t apply(uint32_t flags, uint16_t a, uint16_t b) {
    const bool nan_a = is_nan<F>(a), nan_b = is_nan<F>(b);
    const auto sign = static_cast<uint16_t>((a ^ b) & sign_bit);
    if (flags & half_xorsign) a = magnitude(a), b = magnitude(b);
    // Compares in the order of the values, −0 below +0.
    const int order_a = a & sign_bit ? -1 - magnitude(a) : a, order_b = b & sign_bit ? -1 - magnitude(b) : b;
    const bool take_a = nan_b || (!nan_a && (Max ? order_a > order_b : order_a < order_b));
    const uint16_t taken = take_a ? a : b;
    if ((nan_a && nan_b) || ((nan_a || nan_b) && (flags & half_nan))) return not_a_number;
    return flags & half_xorsign ? static_cast<uint16_t>(taken | sign) : taken;
  }
};
template <class F>
struct Neg {
  static uint16_t apply(uint32_t, uint16_t a) {
    return is_nan<F>(a) ? not_a_number : static_cast<uint16_t>(a ^ sign_bit);
  }
};
template <class F>
struct Abs {
  static uint16_t apply(uint32_t, uint16_t a) { return is_nan<F>(a) ? not_a_number : magnitude(a); }
};
// The special function unit gives an f32, which is cut to the bits of the result.
template <class F, uint32_t (*Function)(uint32_t)>
struct Special {
  static uint16_t apply(uint32_t, uint16_t a) {
    const float result = std::bit_cast<float>(Function(std::bit_cast<uint32_t>(F::value(a))));
    return double{result} >= F::overflow ? F::infinity : F::cut(double{result});
  }
};

// The modifiers around the operation, in Op::extra.
template <class F, class Operation>
struct Modified {
  // .oob: a factor that represents an element outside of a tensor makes the result 0.
  static bool is_outside(uint16_t a, uint16_t b, uint16_t) {
    return magnitude(a) == outside_of_tensor || magnitude(b) == outside_of_tensor;
  }
  template <class... T>
  static uint16_t apply(uint32_t flags, T... x) {
    if constexpr (sizeof...(T) == 3) {
      if ((flags & half_oob) && is_outside(x...)) return 0;
    }
    uint16_t result = Operation::apply(flags, flags & half_ftz ? flush<F>(x) : x...);
    if (flags & half_ftz) result = flush<F>(result);
    if (flags & half_relu) result = result & sign_bit && !is_nan<F>(result) ? uint16_t{0} : result;
    if (flags & half_sat) {
      const bool below = (result & sign_bit) != 0 || is_nan<F>(result);
      result = below ? uint16_t{0} : result > F::one ? F::one : result;
    }
    return result;
  }
};
template <class M>
struct Both {
  template <class... T>
  static uint32_t apply(uint32_t flags, T... x) {
    return M::apply(flags, static_cast<uint16_t>(x)...) |
           uint32_t{M::apply(flags, static_cast<uint16_t>(x >> 16)...)} << 16;
  }
};

template <class M, class T, size_t... I>
struct HalfLanes {
  template <Mode Active>
  static const Op* run(const Op* op, Warp& warp) {
    const std::tuple sources{
        (static_cast<void>(I), static_cast<const T*>(warp.reg<T>(source_slot<I>(op))))...};
    const uint32_t flags = half_flags(*op);
    for_lanes<Active>(warp, warp.reg<T>(op->d),
                      [=](uint32_t lane) { return M::apply(flags, std::get<I>(sources)[lane]...); });
    return op + 1;
  }
  static Handlers handlers() { return lanewise<sizeof...(I)>(&run<all_lanes>, &run<some_lanes>); }
};

template <class F, class Operation, size_t... I>
Handlers pick_width(bool pair) {
  using M = Modified<F, Operation>;
  return pair ? HalfLanes<Both<M>, uint32_t, I...>::handlers() : HalfLanes<M, uint16_t, I...>::handlers();
}

template <class F>
Handlers pick_operation(const Selector& s, bool pair) {
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::add:
      return pick_width<F, Add<F>, 0, 1>(pair);
    case Opcode::sub:
      return pick_width<F, Sub<F>, 0, 1>(pair);
    case Opcode::mul:
      return pick_width<F, Mul<F>, 0, 1>(pair);
    case Opcode::fma:
      return pick_width<F, Fma<F>, 0, 1, 2>(pair);
    case Opcode::min:
      return pick_width<F, Extreme<F, false>, 0, 1>(pair);
    case Opcode::max:
      return pick_width<F, Extreme<F, true>, 0, 1>(pair);
    case Opcode::neg:
      return pick_width<F, Neg<F>, 0>(pair);
    case Opcode::abs:
      return pick_width<F, Abs<F>, 0>(pair);
    case Opcode::ex2:
      return pick_width<F, Special<F, &mufu::value<mufu::Ex2>>, 0>(pair);
    case Opcode::tanh:
      return pick_width<F, Special<F, &mufu::value<mufu::Tanh>>, 0>(pair);
    default:
      return {};
  }
}

}  // namespace

Handlers pick_half(const Selector& s) {
  using ptx::Modifier;
  switch (s.type) {
    case Modifier::f16:
      return pick_operation<F16>(s, false);
    case Modifier::f16x2:
      return pick_operation<F16>(s, true);
    case Modifier::bf16:
      return pick_operation<Bf16>(s, false);
    case Modifier::bf16x2:
      return pick_operation<Bf16>(s, true);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
