// Logic, shifts and bit fields, PTX ISA 9.7.8 and 9.7.1. Predicates are 32-bit masks, so their logic is one
// scalar operation for the warp.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(a == 0 ? 1 : 0);
  }
};
// Shifts by the width or more give 0, or all sign bits (PTX ISA 9.7.8.7). They are clamped, since they are
// undefined in C++.
template <class T>
struct Shl {
  static T apply(T a, uint32_t n) {
    return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(static_cast<T>(a) << (n & (8 * sizeof(T) - 1)));
  }
};
template <class T>
struct Shr {
  static T apply(T a, uint32_t n) {
    constexpr uint32_t bits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (n >= bits ? bits - 1 : n));
    } else {
      return n >= bits ? T{0} : static_cast<T>(a >> (n & (bits - 1)));
    }
  }
};
template <bool Left, bool WrapAmount>
struct Shf {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t n) {
    n = WrapAmount ? n & 31u : n > 32 ? 32 : n;
    const uint64_t both = uint64_t{b} << 32 | a;
    if constexpr (Left) return static_cast<uint32_t>((n == 32 ? both << 31 << 1 : both << n) >> 32);
    return static_cast<uint32_t>(both >> n);
  }
};
template <class T>
struct Brev {
  static T apply(T a) {
    T result = 0;
    for (uint32_t i = 0; i < 8 * sizeof(T); ++i)
      result = static_cast<T>(result | ((a >> i & 1u) << (8 * sizeof(T) - 1 - i)));
    return result;
  }
};
// The 32-bit forms use the low eight bits of position and length, as the manual says. The 64-bit forms, which
// the hardware runs as several instructions, use all bits.
template <class T>
inline uint32_t field_operand(uint32_t value) {
  return sizeof(T) == 4 ? value & 0xff : value;
}
template <class T>
struct Bfe {
  static T apply(T a, uint32_t position, uint32_t length) {
    constexpr uint32_t bits = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    if (length == 0) return 0;
    // Above the top, the field is filled with the sign (signed) or with zeros.
    const T shifted = position >= bits ? static_cast<T>(std::is_signed_v<T> && a < 0 ? -1 : 0)
                                       : static_cast<T>(a >> position);
    if (length >= bits) return shifted;
    if constexpr (std::is_signed_v<T>) {
      const uint32_t top = position < bits && position + length < bits ? position + length - 1 : bits - 1;
      const bool negative = (static_cast<U>(a) >> top & 1u) != 0;
      const U mask = (U{1} << length) - 1;
      const U low = static_cast<U>(shifted) & mask;
      return static_cast<T>(negative ? low | ~mask : low);
    } else {
      return static_cast<T>(shifted & ((U{1} << length) - 1));
    }
  }
};
template <class T>
struct Bfi {
  static T apply(T a, T b, uint32_t position, uint32_t length) {
    constexpr uint32_t bits = 8 * sizeof(T);
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    if (length == 0 || position >= bits) return b;
    const T mask =
        static_cast<T>((length >= bits ? ~T{0} : static_cast<T>((T{1} << length) - 1)) << position);
    return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
  }
};
struct Lop3 {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
      result |= table >> i & 1 ? term : 0;
    }
    return result;
  }
};
struct Prmt {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t choice = selector >> (4 * i) & 15;
      uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (choice & 7)) & 0xff);
      if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};

// prmt's special modes: byte i of the result, from the bytes {b, a}; c is the start position (PTX ISA
// 9.7.9.7).
enum class Permute { forward, backward, replicate8, clamp_left, clamp_right, replicate16 };
template <Permute P>
struct PrmtMode {
  static uint32_t byte_index(uint32_t start, uint32_t i) {
    switch (P) {
      case Permute::forward:
        return (start + i) & 7;
      case Permute::backward:
        return (start - i) & 7;
      case Permute::replicate8:
        return start;
      case Permute::clamp_left:
        return start > i ? start : i;
      case Permute::clamp_right:
        return start < i ? start : i;
      case Permute::replicate16:
        return 2 * (start & 1) + (i & 1);
    }
    return 0;
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; ++i)
      result |= static_cast<uint32_t>(bytes >> (8 * byte_index(selector & 3, i)) & 0xff) << (8 * i);
    return result;
  }
};

// Predicate registers: only the active lanes' bits change.
inline void write_predicate(Warp& warp, uint32_t slot, uint32_t value) {
  uint32_t& destination = warp.predicate(slot);
  destination = (destination & ~warp.mask) | (value & warp.mask);
}
template <class F, int Sources>
struct Predicates {
  static const Op* run(const Op* op, Warp& warp) {
    if constexpr (Sources == 1) {
      write_predicate(warp, op->d, F::apply(warp.predicate(op->a)));
    } else {
      write_predicate(warp, op->d, F::apply(warp.predicate(op->a), warp.predicate(op->b)));
    }
    return op + 1;
  }
  static Handlers handlers() { return reading<Sources>(&run, &run); }
};

// The predicate of lop3: d != 0, combined with the predicate in c. The result itself is in a, and the
// predicate goes to d.
template <bool Or>
const Op* combine_nonzero(const Op* op, Warp& warp) {
  const uint32_t* value = warp.reg<uint32_t>(op->a);
  const uint32_t nonzero = pack_flags(value);
  const uint32_t c = op->flags & flag_negated ? ~warp.predicate(op->c) : warp.predicate(op->c);
  write_predicate(warp, op->d, Or ? nonzero | c : nonzero & c);
  return op + 1;
}

template <class F>
Handlers pick_binary(const Selector& s) {
  switch (ptx::bits_of(s.type)) {
    case 1:
      return Predicates<F, 2>::handlers();
    case 16:
      return Lanes<F, uint16_t, uint16_t, uint16_t>::handlers();
    case 32:
      return Lanes<F, uint32_t, uint32_t, uint32_t>::handlers();
    case 64:
      return Lanes<F, uint64_t, uint64_t, uint64_t>::handlers();
    default:
      return {};
  }
}
template <class F>
Handlers pick_unary(const Selector& s) {
  switch (ptx::bits_of(s.type)) {
    case 1:
      return Predicates<F, 1>::handlers();
    case 16:
      return Lanes<F, uint16_t, uint16_t>::handlers();
    case 32:
      return Lanes<F, uint32_t, uint32_t>::handlers();
    case 64:
      return Lanes<F, uint64_t, uint64_t>::handlers();
    default:
      return {};
  }
}
template <template <class> class F>
Handlers pick_shift_unsigned(const Selector& s) {
  switch (ptx::bits_of(s.type)) {
    case 16:
      return Lanes<F<uint16_t>, uint16_t, uint16_t, uint32_t>::handlers();
    case 32:
      return Lanes<F<uint32_t>, uint32_t, uint32_t, uint32_t>::handlers();
    case 64:
      return Lanes<F<uint64_t>, uint64_t, uint64_t, uint32_t>::handlers();
    default:
      return {};
  }
}
Handlers pick_shift_right(const Selector& s) {
  switch (s.type) {
    case ptx::Modifier::s16:
      return Lanes<Shr<int16_t>, int16_t, int16_t, uint32_t>::handlers();
    case ptx::Modifier::s32:
      return Lanes<Shr<int32_t>, int32_t, int32_t, uint32_t>::handlers();
    case ptx::Modifier::s64:
      return Lanes<Shr<int64_t>, int64_t, int64_t, uint32_t>::handlers();
    default:
      return pick_shift_unsigned<Shr>(s);
  }
}
Handlers pick_funnel(const Selector& s) {
  using U = uint32_t;
  if (s.left) {
    return s.wrap ? Lanes<Shf<true, true>, U, U, U, U>::handlers()
                  : Lanes<Shf<true, false>, U, U, U, U>::handlers();
  }
  return s.wrap ? Lanes<Shf<false, true>, U, U, U, U>::handlers()
                : Lanes<Shf<false, false>, U, U, U, U>::handlers();
}
template <Permute P>
Handlers permute() {
  return Lanes<PrmtMode<P>, uint32_t, uint32_t, uint32_t, uint32_t>::handlers();
}
Handlers pick_permute(const Selector& s) {
  using ptx::Modifier;
  switch (s.permute) {
    case Modifier::f4e:
      return permute<Permute::forward>();
    case Modifier::b4e:
      return permute<Permute::backward>();
    case Modifier::rc8:
      return permute<Permute::replicate8>();
    case Modifier::ecl:
      return permute<Permute::clamp_left>();
    case Modifier::ecr:
      return permute<Permute::clamp_right>();
    case Modifier::rc16:
      return permute<Permute::replicate16>();
    default:
      return Lanes<Prmt, uint32_t, uint32_t, uint32_t, uint32_t>::handlers();
  }
}
Handlers pick_extract(const Selector& s) {
  switch (s.type) {
    case ptx::Modifier::u32:
      return Lanes<Bfe<uint32_t>, uint32_t, uint32_t, uint32_t, uint32_t>::handlers();
    case ptx::Modifier::s32:
      return Lanes<Bfe<int32_t>, int32_t, int32_t, uint32_t, uint32_t>::handlers();
    case ptx::Modifier::u64:
      return Lanes<Bfe<uint64_t>, uint64_t, uint64_t, uint32_t, uint32_t>::handlers();
    case ptx::Modifier::s64:
      return Lanes<Bfe<int64_t>, int64_t, int64_t, uint32_t, uint32_t>::handlers();
    default:
      return {};
  }
}

}  // namespace

Handlers pick_logic(const Selector& s) {
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::and_:
      return pick_binary<And>(s);
    case Opcode::or_:
      return pick_binary<Or>(s);
    case Opcode::xor_:
      return pick_binary<Xor>(s);
    case Opcode::not_:
      return pick_unary<Not>(s);
    case Opcode::cnot:
      return ptx::bits_of(s.type) == 1 ? Handlers{} : pick_unary<Cnot>(s);
    case Opcode::shl:
      return pick_shift_unsigned<Shl>(s);
    case Opcode::shr:
      return pick_shift_right(s);
    case Opcode::shf:
      return pick_funnel(s);
    case Opcode::brev:
      return ptx::bits_of(s.type) == 64 ? Lanes<Brev<uint64_t>, uint64_t, uint64_t>::handlers()
                                        : Lanes<Brev<uint32_t>, uint32_t, uint32_t>::handlers();
    case Opcode::bfe:
      return pick_extract(s);
    case Opcode::bfi:
      return ptx::bits_of(s.type) == 64
                 ? Lanes<Bfi<uint64_t>, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>::handlers()
                 : Lanes<Bfi<uint32_t>, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>::handlers();
    case Opcode::lop3:
      if (!s.has_boolean) return Lanes<Lop3, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>::handlers();
      return s.boolean == ptx::Modifier::or_ ? Handlers{{&combine_nonzero<true>, &combine_nonzero<true>}}
                                             : Handlers{{&combine_nonzero<false>, &combine_nonzero<false>}};
    case Opcode::prmt:
      return pick_permute(s);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
