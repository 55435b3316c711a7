// Integer arithmetic, PTX ISA 9.7.1.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// Integers wrap: signed arithmetic is done in the unsigned type of the same size. 16-bit products are widened
// first, since C++ would promote them to a signed int.
template <class T>
using Wrap = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class T>
struct Add {
  static T apply(T a, T b) { return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b)); }
};
template <class T>
struct Sub {
  static T apply(T a, T b) { return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b)); }
};
template <class T>
struct MulLo {
  static T apply(T a, T b) { return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b)); }
};
template <class T>
struct MadLo {
  static T apply(T a, T b, T c) { return Add<T>::apply(MulLo<T>::apply(a, b), c); }
};
struct AddSat {
  static int32_t apply(int32_t a, int32_t b) {
    const int64_t sum = int64_t{a} + b;
    constexpr int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
    return static_cast<int32_t>(sum < low ? low : sum > high ? high : sum);
  }
};
struct SubSat {
  static int32_t apply(int32_t a, int32_t b) {
    const int64_t difference = int64_t{a} - b;
    constexpr int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
    return static_cast<int32_t>(difference < low ? low : difference > high ? high : difference);
  }
};
template <class T>
struct MulHi {
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<Wide>(a) * b) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
      return static_cast<T>((static_cast<Wide>(a) * b) >> (8 * sizeof(T)));
    }
  }
};
template <class T>
struct MadHi {
  static T apply(T a, T b, T c) { return Add<T>::apply(MulHi<T>::apply(a, b), c); }
};
struct MadHiSat {
  static int32_t apply(int32_t a, int32_t b, int32_t c) {
    return AddSat::apply(MulHi<int32_t>::apply(a, b), c);
  }
};
template <class W, class T>
struct MulWide {
  static W apply(T a, T b) { return static_cast<W>(static_cast<W>(a) * static_cast<W>(b)); }
};
template <class W, class T>
struct MadWide {
  static W apply(T a, T b, W c) { return Add<W>::apply(MulWide<W, T>::apply(a, b), c); }
};
// Division by zero gives all ones, and so does the remainder: the result of the hardware's instruction
// sequence.
template <class T>
struct Div {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Sub<T>::apply(0, a);
    }
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Min {
  static T apply(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static T apply(T a, T b) { return a < b ? b : a; }
};
template <class T>
struct Neg {
  static T apply(T a) { return Sub<T>::apply(0, a); }
};
template <class T>
struct Abs {
  static T apply(T a) { return a < 0 ? Sub<T>::apply(0, a) : a; }
};
template <class T>
struct Sad {
  static T apply(T a, T b, T c) {
    return Add<T>::apply(c, a < b ? Sub<T>::apply(b, a) : Sub<T>::apply(a, b));
  }
};
template <class T>
struct Popc {
  static uint32_t apply(T a) { return static_cast<uint32_t>(std::popcount(a)); }
};
template <class T>
struct Clz {
  static uint32_t apply(T a) { return static_cast<uint32_t>(std::countl_zero(a)); }
};

template <class T>
Handlers pick_common(const Selector& s) {
  using ptx::Opcode;
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (s.opcode) {
    case Opcode::add:
      if constexpr (std::is_same_v<T, int32_t>) {
        if (s.sat) return Lanes<AddSat, T, T, T>::handlers();
      }
      return Lanes<Add<T>, T, T, T>::handlers();
    case Opcode::sub:
      if constexpr (std::is_same_v<T, int32_t>) {
        if (s.sat) return Lanes<SubSat, T, T, T>::handlers();
      }
      return Lanes<Sub<T>, T, T, T>::handlers();
    case Opcode::mul:
      return s.hi ? Lanes<MulHi<T>, T, T, T>::handlers() : Lanes<MulLo<T>, T, T, T>::handlers();
    case Opcode::mad:
      if constexpr (std::is_same_v<T, int32_t>) {
        if (s.hi && s.sat) return Lanes<MadHiSat, T, T, T, T>::handlers();
      }
      return s.hi ? Lanes<MadHi<T>, T, T, T, T>::handlers() : Lanes<MadLo<T>, T, T, T, T>::handlers();
    case Opcode::div:
      return Lanes<Div<T>, T, T, T>::handlers();
    case Opcode::rem:
      return Lanes<Rem<T>, T, T, T>::handlers();
    case Opcode::min:
      return Lanes<Min<T>, T, T, T>::handlers();
    case Opcode::max:
      return Lanes<Max<T>, T, T, T>::handlers();
    case Opcode::sad:
      return Lanes<Sad<T>, T, T, T, T>::handlers();
    case Opcode::neg:
    case Opcode::abs:
      if constexpr (is_signed)
        return s.opcode == Opcode::neg ? Lanes<Neg<T>, T, T>::handlers() : Lanes<Abs<T>, T, T>::handlers();
      break;
    default:
      break;
  }
  return {};
}

template <class W, class T>
Handlers pick_wide(const Selector& s) {
  if (s.opcode == ptx::Opcode::mul) return Lanes<MulWide<W, T>, W, T, T>::handlers();
  if (s.opcode == ptx::Opcode::mad) return Lanes<MadWide<W, T>, W, T, T, W>::handlers();
  return {};
}

}  // namespace

Handlers pick_integer(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  if (s.carry_in || s.carry_out || s.relu) return {};
  if (s.opcode == Opcode::popc) {
    return s.type == Modifier::b64 ? Lanes<Popc<uint64_t>, uint32_t, uint64_t>::handlers()
                                   : Lanes<Popc<uint32_t>, uint32_t, uint32_t>::handlers();
  }
  if (s.opcode == Opcode::clz) {
    return s.type == Modifier::b64 ? Lanes<Clz<uint64_t>, uint32_t, uint64_t>::handlers()
                                   : Lanes<Clz<uint32_t>, uint32_t, uint32_t>::handlers();
  }
  if (s.wide) {
    switch (s.type) {
      case Modifier::u16:
        return pick_wide<uint32_t, uint16_t>(s);
      case Modifier::s16:
        return pick_wide<int32_t, int16_t>(s);
      case Modifier::u32:
        return pick_wide<uint64_t, uint32_t>(s);
      case Modifier::s32:
        return pick_wide<int64_t, int32_t>(s);
      default:
        return {};
    }
  }
  switch (s.type) {
    case Modifier::u16:
      return pick_common<uint16_t>(s);
    case Modifier::s16:
      return pick_common<int16_t>(s);
    case Modifier::u32:
      return pick_common<uint32_t>(s);
    case Modifier::s32:
      return pick_common<int32_t>(s);
    case Modifier::u64:
      return pick_common<uint64_t>(s);
    case Modifier::s64:
      return pick_common<int64_t>(s);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
