// mov and cvta, PTX ISA 9.7.9: copies, packing, unpacking, and addresses of windows.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

struct Copy {
  template <class T>
  static T apply(T a) {
    return a;
  }
};
// cvta adds the window's base (generic = base + offset) or, with .to, subtracts it. b is the value to add.
struct AddBase {
  static uint64_t apply(uint64_t a, uint64_t b) { return a + b; }
};
// mov.b64 d, {a, b}: the first element is the least significant.
template <class Whole, class Part>
struct Pack2 {
  static Whole apply(Part a, Part b) {
    return static_cast<Whole>(a | static_cast<Whole>(b) << (8 * sizeof(Part)));
  }
};
struct Pack4 {
  static uint64_t apply(uint16_t a, uint16_t b, uint16_t c, uint16_t d) {
    return a | uint64_t{b} << 16 | uint64_t{c} << 32 | uint64_t{d} << 48;
  }
};
struct Bits128 {
  uint64_t low, high;
};
struct Pack128 {
  static Bits128 apply(uint64_t low, uint64_t high) { return {low, high}; }
};
template <Mode M>
const Op* unpack_128(const Op* op, Warp& warp) {
  const Bits128* source = warp.reg<Bits128>(op->a);
  if (op->d != no_slot)
    for_lanes<M>(warp, warp.reg<uint64_t>(op->d), [=](uint32_t lane) { return source[lane].low; });
  if (op->b != no_slot)
    for_lanes<M>(warp, warp.reg<uint64_t>(op->b), [=](uint32_t lane) { return source[lane].high; });
  return op + 1;
}

// mov.b64 {d, b, …}, a: destinations in d, b, c, e; no_slot for a sink.
template <class Whole, class Part, uint32_t N>
struct Unpack {
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    const Whole* source = warp.reg<Whole>(op->a);
    const uint32_t slots[4] = {op->d, op->b, op->c, op->e};
    for (uint32_t i = 0; i < N; ++i) {
      if (slots[i] == no_slot) continue;
      for_lanes<M>(warp, warp.reg<Part>(slots[i]),
                   [=](uint32_t lane) { return static_cast<Part>(source[lane] >> (8 * sizeof(Part) * i)); });
    }
    return op + 1;
  }
  static Handlers handlers() { return {{&run<all_lanes>, &run<some_lanes>}}; }
};

const Op* copy_predicate(const Op* op, Warp& warp) {
  uint32_t& destination = warp.predicate(op->d);
  destination = (destination & ~warp.mask) | (warp.predicate(op->a) & warp.mask);
  return op + 1;
}

// vector: 1 is a copy. 2 and 4 pack if source_bits is the width of the parts, or unpack if destination_bits
// is.
Handlers pick_mov(const Selector& s) {
  const uint32_t bits = ptx::bits_of(s.type);
  if (s.vector == 1) {
    switch (bits) {
      case 1:
        return {{&copy_predicate, &copy_predicate}};
      case 16:
        return Lanes<Copy, uint16_t, uint16_t>::handlers();
      case 32:
        return Lanes<Copy, uint32_t, uint32_t>::handlers();
      case 64:
        return Lanes<Copy, uint64_t, uint64_t>::handlers();
      case 128:
        return Lanes<Copy, Bits128, Bits128>::handlers();
      default:
        return {};
    }
  }
  if (bits == 128) {
    if (s.vector != 2) return {};
    return s.source_bits < bits ? Lanes<Pack128, Bits128, uint64_t, uint64_t>::handlers()
                                : Handlers{{&unpack_128<all_lanes>, &unpack_128<some_lanes>}};
  }
  if (s.source_bits < bits) {
    if (s.vector == 2 && bits == 32)
      return Lanes<Pack2<uint32_t, uint16_t>, uint32_t, uint16_t, uint16_t>::handlers();
    if (s.vector == 2 && bits == 64)
      return Lanes<Pack2<uint64_t, uint32_t>, uint64_t, uint32_t, uint32_t>::handlers();
    if (s.vector == 4 && bits == 64) {
      return Lanes<Pack4, uint64_t, uint16_t, uint16_t, uint16_t, uint16_t>::handlers();
    }
    return {};
  }
  if (s.vector == 2 && bits == 32) return Unpack<uint32_t, uint16_t, 2>::handlers();
  if (s.vector == 2 && bits == 64) return Unpack<uint64_t, uint32_t, 2>::handlers();
  if (s.vector == 4 && bits == 64) return Unpack<uint64_t, uint16_t, 4>::handlers();
  return {};
}

}  // namespace

Handlers pick_move(const Selector& s) {
  switch (s.opcode) {
    case ptx::Opcode::mov:
      return pick_mov(s);
    case ptx::Opcode::cvta:
      return Lanes<AddBase, uint64_t, uint64_t, uint64_t>::handlers();
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
