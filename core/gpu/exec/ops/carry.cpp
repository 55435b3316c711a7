// Extended-precision arithmetic, PTX ISA 9.7.2: additions, subtractions and products that pass a carry on.
// The carry flag is a mask, like a predicate: Op::state is its slot.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

template <class T>
struct Sum {
  T value;
  uint32_t carry;  // 0 or 1
};

struct Plus {
  static constexpr uint32_t first = 0;  // the flag at the start of a chain
  template <class T>
  static Sum<T> apply(T a, T b, uint32_t carry) {
    const T sum = static_cast<T>(a + b), total = static_cast<T>(sum + carry);
    return {total, uint32_t{sum < a} | uint32_t{total < sum}};
  }
};
// The flag of a subtraction is set if it does not borrow. The manual says the opposite, which makes no
// difference in a chain of subtractions; a mix of additions and subtractions on the H200 shows it.
struct Minus {
  static constexpr uint32_t first = 1;
  template <class T>
  static Sum<T> apply(T a, T b, uint32_t carry) {
    return Plus::apply(a, static_cast<T>(~b), carry);
  }
};

template <class T, bool IsSigned>
inline T high_product(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    __extension__ using Wide = std::conditional_t<IsSigned, __int128, unsigned __int128>;
    using Own = std::conditional_t<IsSigned, int64_t, uint64_t>;
    return static_cast<T>((static_cast<Wide>(static_cast<Own>(a)) * static_cast<Own>(b)) >> 64);
  } else {
    using Wide = std::conditional_t<IsSigned, int64_t, uint64_t>;
    using Own = std::conditional_t<IsSigned, int32_t, uint32_t>;
    return static_cast<T>((Wide{static_cast<Own>(a)} * static_cast<Own>(b)) >> 32);
  }
}

// Reads the flag if the instruction is addc, subc or madc; writes it if it has .cc.
template <bool In>
inline uint32_t carry_of(uint32_t mask, uint32_t lane, uint32_t first) {
  return In ? mask >> lane & 1u : first;
}

inline void set_carry(Warp& warp, uint32_t slot, const uint32_t* flags) {
  uint32_t& carry = warp.predicate(slot);
  carry = (carry & ~warp.mask) | (pack_flags(flags) & warp.mask);
}

template <class T, class F, bool In, bool Out>
struct Chained {
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    const T* a = warp.reg<T>(op->a);
    const T* b = warp.reg<T>(op->b);
    const uint32_t carry = warp.predicate(carry_slot(*op));
    alignas(64) uint32_t flags[warp_lanes];
    uint32_t* out = flags;
    for_lanes<M>(warp, warp.reg<T>(op->d), [=](uint32_t lane) {
      const Sum<T> sum = F::apply(a[lane], b[lane], carry_of<In>(carry, lane, F::first));
      if constexpr (Out) out[lane] = sum.carry;
      return sum.value;
    });
    if constexpr (Out) set_carry(warp, carry_slot(*op), flags);
    return op + 1;
  }
  static Handlers handlers() { return reading<2>(&run<all_lanes>, &run<some_lanes>); }
};

enum class Part { low, high, high_signed };

template <class T, Part P, bool In, bool Out>
struct ChainedProduct {
  static T product(T a, T b) {
    if constexpr (P == Part::low) return static_cast<T>(a * b);
    return high_product<T, P == Part::high_signed>(a, b);
  }
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    const T* a = warp.reg<T>(op->a);
    const T* b = warp.reg<T>(op->b);
    const T* c = warp.reg<T>(op->c);
    const uint32_t carry = warp.predicate(carry_slot(*op));
    alignas(64) uint32_t flags[warp_lanes];
    uint32_t* out = flags;
    for_lanes<M>(warp, warp.reg<T>(op->d), [=](uint32_t lane) {
      const Sum<T> sum = Plus::apply(product(a[lane], b[lane]), c[lane], carry_of<In>(carry, lane, 0));
      if constexpr (Out) out[lane] = sum.carry;
      return sum.value;
    });
    if constexpr (Out) set_carry(warp, carry_slot(*op), flags);
    return op + 1;
  }
  static Handlers handlers() { return reading<3>(&run<all_lanes>, &run<some_lanes>); }
};

template <class T, class F>
Handlers pick_sum(const Selector& s, bool in) {
  if (!in) return Chained<T, F, false, true>::handlers();
  return s.carry_out ? Chained<T, F, true, true>::handlers() : Chained<T, F, true, false>::handlers();
}
template <class T, Part P>
Handlers pick_part(const Selector& s) {
  if (s.opcode == ptx::Opcode::mad) return ChainedProduct<T, P, false, true>::handlers();
  return s.carry_out ? ChainedProduct<T, P, true, true>::handlers()
                     : ChainedProduct<T, P, true, false>::handlers();
}

template <class T>
Handlers pick_typed(const Selector& s) {
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::add:
    case Opcode::addc:
      return pick_sum<T, Plus>(s, s.opcode == Opcode::addc);
    case Opcode::sub:
    case Opcode::subc:
      return pick_sum<T, Minus>(s, s.opcode == Opcode::subc);
    case Opcode::mad:
    case Opcode::madc:
      if (!s.hi) return pick_part<T, Part::low>(s);
      return ptx::is_signed(s.type) ? pick_part<T, Part::high_signed>(s) : pick_part<T, Part::high>(s);
    default:
      return {};
  }
}

}  // namespace

Handlers pick_carry(const Selector& s) {
  if (!s.carry_in && !s.carry_out) return {};
  return ptx::bits_of(s.type) == 64 ? pick_typed<uint64_t>(s) : pick_typed<uint32_t>(s);
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
