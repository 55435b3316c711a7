// cvt, PTX ISA 9.7.9.21: every pair of integer types and f32, f64. The result is written to the whole
// destination register, sign- or zero-extended if the register is wider than the type.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/float_lane.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

using ptx::Modifier;

enum class Round { nearest_even, zero, minus, plus };

template <Round R, class T>
inline T to_integral(T x) {
  if constexpr (R == Round::nearest_even) return std::nearbyint(x);
  if constexpr (R == Round::zero) return std::trunc(x);
  if constexpr (R == Round::minus) return std::floor(x);
  return std::ceil(x);
}

// Float to integer clamps to the range (PTX ISA 9.7.9.21). NaN becomes 0. But from f64 or to 64 bits, it
// becomes the integer in which only the top bit is set.
template <class D, class S, Round R, bool Ftz>
struct FloatToInt {
  static D apply(S x) {
    const S value = to_integral<R>(input<Ftz>(x));
    // The bounds as powers of two, which S holds exactly; the upper one is the first value out of range.
    constexpr S low = std::is_signed_v<D> ? -static_cast<S>(uint64_t{1} << (8 * sizeof(D) - 1)) : S{0};
    constexpr S high =
        static_cast<S>(uint64_t{1} << (8 * sizeof(D) - 1)) * (std::is_signed_v<D> ? S{1} : S{2});
    constexpr bool top_bit = sizeof(S) == 8 || sizeof(D) == 8;
    constexpr D not_a_number = top_bit ? static_cast<D>(uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
    if (!(value >= low)) return value != value ? not_a_number : std::numeric_limits<D>::min();
    if (value >= high) return std::numeric_limits<D>::max();
    return static_cast<D>(value);
  }
};

template <class D, class S, bool Sat>
struct IntToInt {
  static D apply(S x) {
    if constexpr (Sat) {
      if (std::cmp_less(x, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
      if (std::cmp_greater(x, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
    }
    return static_cast<D>(x);
  }
};

template <class D, class S, bool Sat>
struct IntToFloat {
  static D apply(S x) {
    const D value = rounded(x);
    return Sat ? saturate(value) : value;
  }

 private:
  static D rounded(S x) {
#if defined(__clang__)
    // clang converts uint64_t with a subtraction, which makes -0 from 0 if rounding is downward. Half of a
    // large number rounds as the whole does, if its last bit records that a bit was cut off.
    if constexpr (std::is_same_v<S, uint64_t>) {
      const bool large = x >> 63 != 0;
      const D value = static_cast<D>(static_cast<int64_t>(large ? x >> 1 | (x & 1) : x));
      return large ? value + value : value;
    }
#endif
    return static_cast<D>(x);
  }
};

// A NaN keeps its sign and the payload's high bits. Only f32 that is flushed or saturated is arithmetic;
// otherwise this is a move.
template <class D, class S, bool Ftz, bool Sat>
struct FloatToFloat {
  static D apply(S x) {
    if constexpr (std::is_same_v<D, S>) {
      return Ftz || Sat ? output<Ftz, Sat>(input<Ftz>(x)) : x;
    } else if constexpr (sizeof(D) > sizeof(S)) {
      const D wide = static_cast<D>(Ftz ? canonical(input<Ftz>(x)) : x);
      return Sat ? saturate(wide) : wide;
    } else {
      D narrow = static_cast<D>(x);
      // Results that only round up to a normal number are flushed as well: scaling avoids the limit of the
      // exponent.
      if (Ftz && __builtin_fabsf(static_cast<D>(x * 0x1p32)) < 0x1p-94f)
        narrow = __builtin_copysignf(0.0f, narrow);
      return Sat ? saturate(narrow) : narrow;
    }
  }
};
// cvt.rni.f32.f32 and so on: to an integral value of the same type.
template <class T, Round R, bool Ftz, bool Sat>
struct FloatToIntegral {
  static T apply(T x) { return output<Ftz, Sat>(to_integral<R>(quiet(input<Ftz>(x)))); }
};

// The registers of a conversion are the narrowest that hold its types: 16 bits for 8-bit types. Decode adds
// separate conversions to narrow wider sources and to widen results for wider destinations.
template <class T>
using RegisterOf =
    std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>, T>;

template <class F, class D, class S>
struct Through {
  static RegisterOf<D> apply(RegisterOf<S> x) {
    return static_cast<RegisterOf<D>>(F::apply(static_cast<S>(x)));
  }
};

template <class F, class D, class S>
Handlers with_registers() {
  return Lanes<Through<F, D, S>, RegisterOf<D>, RegisterOf<S>>::handlers();
}

template <class D, class S, bool Ftz>
Handlers float_to_int(const Selector& s) {
  switch (s.rounding) {
    case Modifier::rni:
      return with_registers<FloatToInt<D, S, Round::nearest_even, Ftz>, D, S>();
    case Modifier::rzi:
      return with_registers<FloatToInt<D, S, Round::zero, Ftz>, D, S>();
    case Modifier::rmi:
      return with_registers<FloatToInt<D, S, Round::minus, Ftz>, D, S>();
    case Modifier::rpi:
      return with_registers<FloatToInt<D, S, Round::plus, Ftz>, D, S>();
    default:
      return {};
  }
}

template <class T, bool Ftz, bool Sat>
Handlers to_integral_float(const Selector& s) {
  switch (s.rounding) {
    case Modifier::rni:
      return Lanes<FloatToIntegral<T, Round::nearest_even, Ftz, Sat>, T, T>::handlers();
    case Modifier::rzi:
      return Lanes<FloatToIntegral<T, Round::zero, Ftz, Sat>, T, T>::handlers();
    case Modifier::rmi:
      return Lanes<FloatToIntegral<T, Round::minus, Ftz, Sat>, T, T>::handlers();
    case Modifier::rpi:
      return Lanes<FloatToIntegral<T, Round::plus, Ftz, Sat>, T, T>::handlers();
    default:
      return Lanes<FloatToFloat<T, T, Ftz, Sat>, T, T>::handlers();
  }
}
template <class D, class S, bool Ftz, bool Sat>
Handlers float_to_float(const Selector& s) {
  if constexpr (std::is_same_v<D, S>) {
    if (s.has_rounding) return to_integral_float<D, Ftz, Sat>(s);
  }
  return Lanes<FloatToFloat<D, S, Ftz, Sat>, D, S>::handlers();
}

template <class D, class S>
Handlers pick_pair(const Selector& s) {
  if constexpr (std::is_floating_point_v<S> && std::is_floating_point_v<D>) {
    if constexpr (std::is_same_v<D, float> || std::is_same_v<S, float>) {
      if (s.ftz) return s.sat ? float_to_float<D, S, true, true>(s) : float_to_float<D, S, true, false>(s);
    }
    return s.sat ? float_to_float<D, S, false, true>(s) : float_to_float<D, S, false, false>(s);
  } else if constexpr (std::is_floating_point_v<S>) {
    if constexpr (std::is_same_v<S, float>) {
      if (s.ftz) return float_to_int<D, S, true>(s);
    }
    return float_to_int<D, S, false>(s);
  } else if constexpr (std::is_floating_point_v<D>) {
    return s.sat ? with_registers<IntToFloat<D, S, true>, D, S>()
                 : with_registers<IntToFloat<D, S, false>, D, S>();
  } else {
    return s.sat ? with_registers<IntToInt<D, S, true>, D, S>()
                 : with_registers<IntToInt<D, S, false>, D, S>();
  }
}

template <class D>
Handlers pick_source(const Selector& s) {
  switch (s.source_type) {
    case Modifier::u8:
      return pick_pair<D, uint8_t>(s);
    case Modifier::s8:
      return pick_pair<D, int8_t>(s);
    case Modifier::u16:
      return pick_pair<D, uint16_t>(s);
    case Modifier::s16:
      return pick_pair<D, int16_t>(s);
    case Modifier::u32:
      return pick_pair<D, uint32_t>(s);
    case Modifier::s32:
      return pick_pair<D, int32_t>(s);
    case Modifier::u64:
      return pick_pair<D, uint64_t>(s);
    case Modifier::s64:
      return pick_pair<D, int64_t>(s);
    case Modifier::f32:
      return pick_pair<D, float>(s);
    case Modifier::f64:
      return pick_pair<D, double>(s);
    default:
      return {};
  }
}

}  // namespace

Handlers pick_convert(const Selector& s) {
  if (s.opcode != ptx::Opcode::cvt || s.pack || s.rounding == Modifier::rna) return {};
  switch (s.type) {
    case Modifier::u8:
      return pick_source<uint8_t>(s);
    case Modifier::s8:
      return pick_source<int8_t>(s);
    case Modifier::u16:
      return pick_source<uint16_t>(s);
    case Modifier::s16:
      return pick_source<int16_t>(s);
    case Modifier::u32:
      return pick_source<uint32_t>(s);
    case Modifier::s32:
      return pick_source<int32_t>(s);
    case Modifier::u64:
      return pick_source<uint64_t>(s);
    case Modifier::s64:
      return pick_source<int64_t>(s);
    case Modifier::f32:
      return pick_source<float>(s);
    case Modifier::f64:
      return pick_source<double>(s);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
