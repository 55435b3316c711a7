// cvt with floats of less than 32 bits, PTX ISA 9.7.9.21. Decode splits other pairs into two steps: f16 and
// bf16 widen to f32 without loss, and integers become f64, rounded to odd if f64 is too short.
#include "core/base/half.h"

#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

using ptx::Modifier;

// .ftz has no effect between f16 and f32 on the H200, though PTX allows it. A NaN of f16 becomes the
// canonical one in f32. A NaN of bf16, whose bits are the upper half of f32, is unchanged.
struct WidenF16 {
  static uint32_t apply(uint32_t flags, uint16_t a) {
    // Comparisons flush; conversions of PTX do not set this flag.
    if (flags & half_ftz) a = (a & 0x7c00) == 0 ? static_cast<uint16_t>(a & 0x8000) : a;
    return (a & 0x7fff) > 0x7c00 ? 0x7fffffffu : std::bit_cast<uint32_t>(float_of_f16(a));
  }
};
struct WidenBf16 {
  static uint32_t apply(uint32_t, uint16_t a) { return uint32_t{a} << 16; }
};
// Widened to f64, both keep sign and payload, and become quiet.
template <bool IsF16>
struct WidenTwice {
  static double apply(uint32_t, uint16_t a) {
    const double wide = double{IsF16 ? float_of_f16(a) : float_of_bf16(a)};
    const uint64_t quiet = std::bit_cast<uint64_t>(wide) | uint64_t{1} << 51;
    return wide != wide ? std::bit_cast<double>(quiet) : wide;
  }
};

template <SmallFloat Format>
inline uint32_t limit(uint32_t flags, uint32_t result) {
  const uint32_t magnitude = result & (Format.sign() - 1);
  const bool is_nan = magnitude > (Format.infinity == Format.nan ? Format.largest : Format.infinity);
  if (flags & half_relu) result = result & Format.sign() && !is_nan ? 0 : result;
  return result;
}
template <SmallFloat Format, Rounding R>
struct Narrow {
  static uint32_t of(uint32_t flags, double x) {
    return limit<Format>(flags, narrow<Format, R>(x, (flags & half_satfinite) != 0));
  }
  // A NaN of f64 keeps its sign and the payload's high bits, and becomes quiet. A NaN of f32 becomes the
  // canonical one.
  static uint32_t nan_of(double x) {
    const uint64_t bits = std::bit_cast<uint64_t>(x);
    const uint32_t kept = static_cast<uint32_t>(bits >> (52 - Format.mantissa_bits)) & (Format.sign() - 1);
    const uint32_t sign = bits >> 63 != 0 ? Format.sign() : 0;
    return sign | kept | Format.infinity | 1u << (Format.mantissa_bits - 1);
  }
  template <class T>
  static uint16_t apply(uint32_t flags, T given) {
    const double x = static_cast<double>(given);
    const double value = !(flags & half_sat) ? x : x > 0 ? (x < 1 ? x : 1.0) : 0.0;
    if constexpr (sizeof(T) == 8) {
      if (value != value) return static_cast<uint16_t>(nan_of(x));
    }
    return static_cast<uint16_t>(of(flags, value));
  }
};
// Two values; a is in the upper half.
template <SmallFloat Format, Rounding R>
struct NarrowPair {
  static uint32_t apply(uint32_t flags, float a, float b) {
    using One = Narrow<Format, R>;
    return One::of(flags, double{a}) << Format.bits() | One::of(flags, double{b});
  }
};
template <SmallFloat Format>
struct NarrowHalves {
  static uint16_t apply(uint32_t flags, uint32_t a) {
    using One = Narrow<Format, Rounding::nearest_even>;
    const double high = double{float_of_f16(static_cast<uint16_t>(a >> 16))};
    const double low = double{float_of_f16(static_cast<uint16_t>(a))};
    return static_cast<uint16_t>(One::of(flags, high) << 8 | One::of(flags, low));
  }
};
template <SmallFloat Format>
struct WidenBytes {
  static uint32_t one(uint32_t flags, uint32_t byte) {
    return limit<f16_format>(flags, f16_of(double{widen<Format>(byte)}));
  }
  static uint32_t apply(uint32_t flags, uint16_t a) {
    return one(flags, a >> 8) << 16 | one(flags, a & 0xff);
  }
};
template <Rounding R>
struct NarrowTf32 {
  // An addition of integers, which does not change a NaN's sign and payload. .satfinite subtracts one step
  // from values with the exponent of infinity, including NaNs.
  static uint32_t away(uint32_t flags, uint32_t a) {
    constexpr uint32_t exponent = 0x7f800000, step = 0x2000;
    const uint32_t rounded = ((a & exponent) == exponent ? a : a + step / 2) & ~(step - 1);
    return (flags & half_satfinite) && (rounded & exponent) == exponent ? rounded - step : rounded;
  }
  static uint32_t apply(uint32_t flags, float a) {
    if constexpr (R == Rounding::nearest_away) return away(flags, std::bit_cast<uint32_t>(a));
    return limit<tf32_format>(flags, narrow<tf32_format, R>(double{a}, (flags & half_satfinite) != 0)) << 13;
  }
};
// A 64-bit integer as f64. If it is not exact, the neighbour whose last bit is 1.
template <class T>
struct ToOdd {
  static double apply(uint32_t, T a) {
    const bool negative = std::is_signed_v<T> && a < 0;
    const uint64_t size = negative ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
    const uint64_t kept = size >> 11 << 11 | (size & 0x7ff ? 0x800 : 0);
    const auto value = static_cast<double>(size >> 53 != 0 ? kept : size);
    return negative ? -value : value;
  }
};

template <class F, class D, class... S>
struct Flagged {
  template <Mode M, size_t... I>
  static void loop(const Op* op, Warp& warp, std::index_sequence<I...>) {
    const std::tuple<const S*...> sources{warp.reg<S>(source_slot<I>(op))...};
    const uint32_t flags = half_flags(*op);
    for_lanes<M>(warp, warp.reg<D>(op->d), [=](uint32_t lane) {
      return static_cast<D>(F::apply(flags, std::get<I>(sources)[lane]...));
    });
  }
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    loop<M>(op, warp, std::index_sequence_for<S...>{});
    return op + 1;
  }
  static Handlers handlers() { return lanewise<sizeof...(S)>(&run<all_lanes>, &run<some_lanes>); }
};

template <SmallFloat Format, class S>
Handlers pick_rounding(const Selector& s) {
  switch (s.rounding) {
    case Modifier::rz:
      return Flagged<Narrow<Format, Rounding::zero>, uint16_t, S>::handlers();
    case Modifier::rm:
      return Flagged<Narrow<Format, Rounding::down>, uint16_t, S>::handlers();
    case Modifier::rp:
      return Flagged<Narrow<Format, Rounding::up>, uint16_t, S>::handlers();
    default:
      return Flagged<Narrow<Format, Rounding::nearest_even>, uint16_t, S>::handlers();
  }
}
template <SmallFloat Format>
Handlers pick_narrow(const Selector& s) {
  if (s.source_type == Modifier::f32) return pick_rounding<Format, float>(s);
  if (s.source_type == Modifier::f64) return pick_rounding<Format, double>(s);
  return {};
}
template <SmallFloat Format>
Handlers pick_pair(const Selector& s) {
  if (s.rounding == Modifier::rz)
    return Flagged<NarrowPair<Format, Rounding::zero>, uint32_t, float, float>::handlers();
  return Flagged<NarrowPair<Format, Rounding::nearest_even>, uint32_t, float, float>::handlers();
}
template <SmallFloat Format>
Handlers pick_bytes(const Selector& s) {
  if (s.source_type == Modifier::f16x2) return Flagged<NarrowHalves<Format>, uint16_t, uint32_t>::handlers();
  return Flagged<NarrowPair<Format, Rounding::nearest_even>, uint16_t, float, float>::handlers();
}
Handlers pick_tf32(const Selector& s) {
  switch (s.rounding) {
    case Modifier::rna:
      return Flagged<NarrowTf32<Rounding::nearest_away>, uint32_t, float>::handlers();
    case Modifier::rz:
      return Flagged<NarrowTf32<Rounding::zero>, uint32_t, float>::handlers();
    default:
      return Flagged<NarrowTf32<Rounding::nearest_even>, uint32_t, float>::handlers();
  }
}
Handlers pick_f16x2(const Selector& s) {
  switch (s.source_type) {
    case Modifier::e4m3x2:
      return Flagged<WidenBytes<e4m3_format>, uint32_t, uint16_t>::handlers();
    case Modifier::e5m2x2:
      return Flagged<WidenBytes<e5m2_format>, uint32_t, uint16_t>::handlers();
    default:
      return pick_pair<f16_format>(s);
  }
}
Handlers pick_wide(const Selector& s) {
  const bool from_half = s.source_type == Modifier::f16 || s.source_type == Modifier::bf16;
  if (s.type == Modifier::f32 && from_half) {
    return s.source_type == Modifier::f16 ? Flagged<WidenF16, uint32_t, uint16_t>::handlers()
                                          : Flagged<WidenBf16, uint32_t, uint16_t>::handlers();
  }
  if (s.type == Modifier::f64 && from_half) {
    return s.source_type == Modifier::f16 ? Flagged<WidenTwice<true>, double, uint16_t>::handlers()
                                          : Flagged<WidenTwice<false>, double, uint16_t>::handlers();
  }
  // Used only by decode; PTX does not have this rounding.
  if (s.type == Modifier::f64 && s.rounding == Modifier::rna) {
    return s.source_type == Modifier::s64 ? Flagged<ToOdd<int64_t>, double, int64_t>::handlers()
                                          : Flagged<ToOdd<uint64_t>, double, uint64_t>::handlers();
  }
  return {};
}

}  // namespace

Handlers pick_convert_half(const Selector& s) {
  if (s.opcode != ptx::Opcode::cvt) return {};
  switch (s.type) {
    case Modifier::f16:
      return pick_narrow<f16_format>(s);
    case Modifier::bf16:
      return pick_narrow<bf16_format>(s);
    case Modifier::f16x2:
      return pick_f16x2(s);
    case Modifier::bf16x2:
      return pick_pair<bf16_format>(s);
    case Modifier::e4m3x2:
      return pick_bytes<e4m3_format>(s);
    case Modifier::e5m2x2:
      return pick_bytes<e5m2_format>(s);
    case Modifier::tf32:
      return pick_tf32(s);
    default:
      return pick_wide(s);
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
