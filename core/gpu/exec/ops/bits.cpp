// The rarer integer instructions, PTX ISA 9.7.1: positions of bits, masks, products of 24 bits, dot products,
// packed 16-bit integers, saturated packing; testp.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// The most significant bit that differs from the sign. All ones if there is none.
template <class T, bool ShiftAmount>
struct Bfind {
  static uint32_t apply(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = static_cast<U>(a);
    if constexpr (std::is_signed_v<T>) bits = a < 0 ? static_cast<U>(~bits) : bits;
    if (bits == 0) return 0xffffffff;
    const auto above = static_cast<uint32_t>(std::countl_zero(bits));
    return ShiftAmount ? above : 8 * sizeof(T) - 1 - above;
  }
};
// The n-th set bit from `base` on, counted upwards, or downwards if n is negative.
struct Fns {
  static uint32_t apply(uint32_t mask, uint32_t base, int32_t n) {
    if (base > 31) return 0xffffffff;
    if (n == std::numeric_limits<int32_t>::min()) return 0;  // the H200's result for any mask
    if (n == 0) return mask >> base & 1u ? base : 0xffffffff;
    const bool up = n > 0;
    uint32_t left = up ? static_cast<uint32_t>(n) : 0u - static_cast<uint32_t>(n);
    uint32_t rest = up ? mask & (0xffffffffu << base) : mask & (0xffffffffu >> (31 - base));
    if (left > 32) return 0xffffffff;
    for (; rest != 0; --left) {
      const auto at = static_cast<uint32_t>(up ? std::countr_zero(rest) : 31 - std::countl_zero(rest));
      if (left == 1) return at;
      rest &= ~(1u << at);
    }
    return 0xffffffff;
  }
};
template <bool IsSigned, bool WrapAmount>
struct Szext {
  static uint32_t apply(uint32_t a, uint32_t n) {
    if (!WrapAmount && n >= 32) return a;
    n &= 31;
    if (n == 0) return 0;
    const uint32_t mask = 0xffffffffu << n;
    return IsSigned && (a >> (n - 1) & 1u) ? a | mask : a & ~mask;
  }
};
template <bool WrapAmount>
struct Bmsk {
  static uint32_t apply(uint32_t position, uint32_t width) {
    if (!WrapAmount && position >= 32) return 0;
    const uint32_t from = 0xffffffffu << (position & 31);
    const bool to_the_top = (!WrapAmount && width >= 32) || (position & 31) + (width & 31) >= 32;
    if (to_the_top) return from;
    return from & ~(0xffffffffu << ((position & 31) + (width & 31)));
  }
};

template <class T>
inline int64_t low_24(T a) {
  return std::is_signed_v<T> ? static_cast<int64_t>(static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8)
                             : static_cast<int64_t>(static_cast<uint32_t>(a) & 0xffffff);
}
template <class T>
struct Mul24Lo {
  static T apply(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(static_cast<uint32_t>((int64_t{a << 8 >> 8}) * (b << 8 >> 8)));
    } else {
      return static_cast<T>(uint64_t{a & 0xffffff} * (b & 0xffffff));
    }
  }
};
template <class T>
struct Mad24Lo {
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<uint32_t>(Mul24Lo<T>::apply(a, b)) + static_cast<uint32_t>(c));
  }
};
// Bits 47 to 16 of the product of 48 bits.
template <class T>
struct Mul24Hi {
  static T apply(T a, T b) { return static_cast<T>((low_24(a) * low_24(b)) >> 16); }
};
template <class T>
struct Mad24Hi {
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<uint32_t>(Mul24Hi<T>::apply(a, b)) + static_cast<uint32_t>(c));
  }
};
struct Mad24HiSat {
  static int32_t apply(int32_t a, int32_t b, int32_t c) {
    const int64_t sum = int64_t{Mul24Hi<int32_t>::apply(a, b)} + c;
    constexpr int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
    return static_cast<int32_t>(sum < low ? low : sum > high ? high : sum);
  }
};

template <bool IsSigned>
inline uint32_t byte_of(uint32_t word, uint32_t i) {
  const uint32_t byte = word >> (8 * i) & 0xff;
  return IsSigned ? (byte ^ 0x80u) - 0x80u : byte;
}
template <bool IsSigned>
inline uint32_t half_of(uint32_t word, uint32_t i) {
  const uint32_t half = word >> (16 * i) & 0xffff;
  return IsSigned ? (half ^ 0x8000u) - 0x8000u : half;
}
template <bool SignedA, bool SignedB>
struct Dp4a {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t i = 0; i < 4; ++i) c += byte_of<SignedA>(a, i) * byte_of<SignedB>(b, i);
    return c;
  }
};
template <bool SignedA, bool SignedB, bool Upper>
struct Dp2a {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t i = 0; i < 2; ++i) c += half_of<SignedA>(a, i) * byte_of<SignedB>(b, i + (Upper ? 2 : 0));
    return c;
  }
};

// Two integers of 16 bits in a word; relu: negative results become 0.
enum class Pairwise { add, min, max };
template <class T, Pairwise P, bool Relu>
struct OfPairs {
  static T one(T a, T b) {
    T result = P == Pairwise::min ? (b < a ? b : a) : (a < b ? b : a);
    if constexpr (P == Pairwise::add) result = static_cast<T>(a + b);
    return Relu && result < 0 ? T{0} : result;
  }
  static uint32_t apply(uint32_t a, uint32_t b) {
    const auto low = static_cast<uint16_t>(one(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<uint16_t>(one(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | uint32_t{high} << 16;
  }
};
template <Pairwise P>
struct ReluOf {
  static int32_t apply(int32_t a, int32_t b) {
    const int32_t result = P == Pairwise::min ? (b < a ? b : a) : (a < b ? b : a);
    return result < 0 ? 0 : result;
  }
};

// cvt.pack: a above b, each saturated to Bits. Below them, the bits of c, shifted up.
template <int Bits, bool IsSigned>
struct PackSaturated {
  static uint32_t one(int32_t x) {
    constexpr int32_t low = IsSigned ? -(1 << (Bits - 1)) : 0;
    constexpr int32_t high = IsSigned ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
    return static_cast<uint32_t>(x < low ? low : x > high ? high : x) & ((1u << Bits) - 1);
  }
  static uint32_t apply(int32_t a, int32_t b) { return one(a) << Bits | one(b); }
  static uint32_t apply(int32_t a, int32_t b, uint32_t c) {
    return (Bits < 16 ? c << (2 * Bits % 32) : 0) | one(a) << Bits | one(b);
  }
};

// testp: tests the kind of a number. T is the type of its bits.
enum class Kind { finite, infinite, number, notanumber, normal, subnormal };
template <class T, Kind K>
struct Testp {
  static bool is(T bits) {
    constexpr int mantissa = sizeof(T) == 4 ? 23 : 52;
    const T magnitude = bits & ~(T{1} << (8 * sizeof(T) - 1));
    constexpr T infinity = (sizeof(T) == 4 ? T{0xff} : T{0x7ff}) << mantissa,
                lowest_normal = T{1} << mantissa;
    switch (K) {
      case Kind::finite:
        return magnitude < infinity;
      case Kind::infinite:
        return magnitude == infinity;
      case Kind::number:
        return magnitude <= infinity;
      case Kind::notanumber:
        return magnitude > infinity;
      case Kind::normal:
        return magnitude == 0 || (magnitude >= lowest_normal && magnitude < infinity);
      case Kind::subnormal:
        return magnitude != 0 && magnitude < lowest_normal;
    }
    return false;
  }
  static const Op* run(const Op* op, Warp& warp) {
    const T* a = warp.reg<T>(op->a);
    alignas(64) uint32_t flags[warp_lanes];
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) flags[lane] = is(a[lane]) ? 1u : 0u;
    write_predicate(warp, op->d, pack_flags(flags));
    return op + 1;
  }
  static Handlers handlers() { return reading<1>(&run, &run); }
};

using U = uint32_t;
using I = int32_t;

Handlers pick_bfind(const Selector& s) {
  using ptx::Modifier;
  const bool shift = s.shift_amount;
  switch (s.type) {
    case Modifier::u32:
      return shift ? Lanes<Bfind<U, true>, U, U>::handlers() : Lanes<Bfind<U, false>, U, U>::handlers();
    case Modifier::s32:
      return shift ? Lanes<Bfind<I, true>, U, I>::handlers() : Lanes<Bfind<I, false>, U, I>::handlers();
    case Modifier::u64:
      return shift ? Lanes<Bfind<uint64_t, true>, U, uint64_t>::handlers()
                   : Lanes<Bfind<uint64_t, false>, U, uint64_t>::handlers();
    case Modifier::s64:
      return shift ? Lanes<Bfind<int64_t, true>, U, int64_t>::handlers()
                   : Lanes<Bfind<int64_t, false>, U, int64_t>::handlers();
    default:
      return {};
  }
}
template <bool SignedA, bool SignedB>
Handlers pick_dot(const Selector& s) {
  if (s.opcode == ptx::Opcode::dp4a) return Lanes<Dp4a<SignedA, SignedB>, U, U, U, U>::handlers();
  return s.hi ? Lanes<Dp2a<SignedA, SignedB, true>, U, U, U, U>::handlers()
              : Lanes<Dp2a<SignedA, SignedB, false>, U, U, U, U>::handlers();
}
Handlers pick_dot_signs(const Selector& s) {
  const bool b = ptx::is_signed(s.source_type);
  if (ptx::is_signed(s.type)) return b ? pick_dot<true, true>(s) : pick_dot<true, false>(s);
  return b ? pick_dot<false, true>(s) : pick_dot<false, false>(s);
}
template <class T>
Handlers pick_24(const Selector& s) {
  if (s.opcode == ptx::Opcode::mul24)
    return s.hi ? Lanes<Mul24Hi<T>, T, T, T>::handlers() : Lanes<Mul24Lo<T>, T, T, T>::handlers();
  if (s.hi && s.sat) return Lanes<Mad24HiSat, I, I, I, I>::handlers();
  return s.hi ? Lanes<Mad24Hi<T>, T, T, T, T>::handlers() : Lanes<Mad24Lo<T>, T, T, T, T>::handlers();
}

template <class T, bool Relu>
Handlers pick_pairs(const Selector& s) {
  switch (s.opcode) {
    case ptx::Opcode::add:
      return Lanes<OfPairs<T, Pairwise::add, false>, U, U, U>::handlers();
    case ptx::Opcode::min:
      return Lanes<OfPairs<T, Pairwise::min, Relu>, U, U, U>::handlers();
    case ptx::Opcode::max:
      return Lanes<OfPairs<T, Pairwise::max, Relu>, U, U, U>::handlers();
    default:
      return {};
  }
}
Handlers pick_packed(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  if (s.type == Modifier::u16x2) return pick_pairs<uint16_t, false>(s);
  if (s.type == Modifier::s16x2) return s.relu ? pick_pairs<int16_t, true>(s) : pick_pairs<int16_t, false>(s);
  if (!s.relu || s.type != Modifier::s32) return {};
  if (s.opcode == Opcode::min) return Lanes<ReluOf<Pairwise::min>, I, I, I>::handlers();
  if (s.opcode == Opcode::max) return Lanes<ReluOf<Pairwise::max>, I, I, I>::handlers();
  return {};
}

template <int Bits, bool IsSigned>
Handlers pick_saturated() {
  if constexpr (Bits == 16) return Lanes<PackSaturated<Bits, IsSigned>, U, I, I>::handlers();
  return Lanes<PackSaturated<Bits, IsSigned>, U, I, I, U>::handlers();
}
Handlers pick_pack(const Selector& s) {
  using ptx::Modifier;
  switch (s.type) {
    case Modifier::u16:
      return pick_saturated<16, false>();
    case Modifier::s16:
      return pick_saturated<16, true>();
    case Modifier::u8:
      return pick_saturated<8, false>();
    case Modifier::s8:
      return pick_saturated<8, true>();
    case Modifier::u4:
      return pick_saturated<4, false>();
    case Modifier::s4:
      return pick_saturated<4, true>();
    case Modifier::u2:
      return pick_saturated<2, false>();
    case Modifier::s2:
      return pick_saturated<2, true>();
    default:
      return {};
  }
}

template <class T>
Handlers pick_testp(const Selector& s) {
  using ptx::Modifier;
  switch (s.property) {
    case Modifier::finite:
      return Testp<T, Kind::finite>::handlers();
    case Modifier::infinite:
      return Testp<T, Kind::infinite>::handlers();
    case Modifier::number:
      return Testp<T, Kind::number>::handlers();
    case Modifier::notanumber:
      return Testp<T, Kind::notanumber>::handlers();
    case Modifier::normal:
      return Testp<T, Kind::normal>::handlers();
    case Modifier::subnormal:
      return Testp<T, Kind::subnormal>::handlers();
    default:
      return {};
  }
}

Handlers pick_masks(const Selector& s) {
  if (s.opcode == ptx::Opcode::bmsk)
    return s.wrap ? Lanes<Bmsk<true>, U, U, U>::handlers() : Lanes<Bmsk<false>, U, U, U>::handlers();
  if (ptx::is_signed(s.type)) {
    return s.wrap ? Lanes<Szext<true, true>, U, U, U>::handlers()
                  : Lanes<Szext<true, false>, U, U, U>::handlers();
  }
  return s.wrap ? Lanes<Szext<false, true>, U, U, U>::handlers()
                : Lanes<Szext<false, false>, U, U, U>::handlers();
}

}  // namespace

Handlers pick_bits(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::bfind:
      return pick_bfind(s);
    case Opcode::fns:
      return Lanes<Fns, U, U, U, I>::handlers();
    case Opcode::szext:
    case Opcode::bmsk:
      return pick_masks(s);
    case Opcode::dp2a:
    case Opcode::dp4a:
      return pick_dot_signs(s);
    case Opcode::mul24:
    case Opcode::mad24:
      return ptx::is_signed(s.type) ? pick_24<I>(s) : pick_24<U>(s);
    case Opcode::testp:
      return s.type == Modifier::f64 ? pick_testp<uint64_t>(s) : pick_testp<uint32_t>(s);
    case Opcode::add:
    case Opcode::min:
    case Opcode::max:
      return pick_packed(s);
    case Opcode::cvt:
      return s.pack ? pick_pack(s) : Handlers{};
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
