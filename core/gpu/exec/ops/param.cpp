// ld.param and st.param for the parameters of a call (PTX ISA 5.1.6.4). A parameter is stored in the warp's
// frame as rows of 32-bit words, one word per lane.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// T: type in memory; R: type of the register's lanes. a: the first row; immediate: byte offset in it.
template <class T, class R, uint32_t N>
struct Rows {
  template <Mode M>
  static void load_one(const Warp& warp, const uint32_t* row, uint32_t shift, R* to) {
    for_lanes<M>(warp, to, [=](uint32_t lane) {
      if constexpr (sizeof(T) == 8) {
        return static_cast<R>(row[lane] | uint64_t{row[warp_lanes + lane]} << 32);
      } else {
        return static_cast<R>(static_cast<T>(row[lane] >> shift));
      }
    });
  }
  template <Mode M>
  static void store_one(const Warp& warp, uint32_t* row, uint32_t shift, const R* from) {
    if constexpr (sizeof(T) == 8) {
      for_lanes<M>(warp, row, [=](uint32_t lane) { return static_cast<uint32_t>(from[lane]); });
      for_lanes<M>(warp, row + warp_lanes, [=](uint32_t lane) {
        return static_cast<uint32_t>(static_cast<uint64_t>(from[lane]) >> 32);
      });
    } else if constexpr (sizeof(T) == 4) {
      for_lanes<M>(warp, row, [=](uint32_t lane) { return static_cast<uint32_t>(from[lane]); });
    } else {
      const uint32_t field = static_cast<uint32_t>(std::numeric_limits<std::make_unsigned_t<T>>::max());
      const uint32_t* old = row;
      for_lanes<M>(warp, row, [=](uint32_t lane) {
        return (old[lane] & ~(field << shift)) | (static_cast<uint32_t>(from[lane]) & field) << shift;
      });
    }
  }
  template <bool Store, Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    const uint32_t slots[4] = {op->d, op->b, op->c, op->e};
    for (uint32_t i = 0; i < N; ++i) {
      if (slots[i] == no_slot) continue;
      const auto at = static_cast<uint32_t>(address_offset(*op)) + i * static_cast<uint32_t>(sizeof(T));
      uint32_t* row = warp.reg<uint32_t>(op->a) + at / 4 * warp_lanes;
      if constexpr (Store) {
        store_one<M>(warp, row, at % 4 * 8, warp.reg<R>(slots[i]));
      } else {
        load_one<M>(warp, row, at % 4 * 8, warp.reg<R>(slots[i]));
      }
    }
    return op + 1;
  }
  static Handlers handlers(bool store) {
    if (store) return {{&run<true, all_lanes>, &run<true, some_lanes>}};
    return {{&run<false, all_lanes>, &run<false, some_lanes>}};
  }
};

template <class T, class R>
Handlers pick_count(const Selector& s, bool store) {
  switch (s.vector) {
    case 1:
      return Rows<T, R, 1>::handlers(store);
    case 2:
      return Rows<T, R, 2>::handlers(store);
    case 4:
      return Rows<T, R, 4>::handlers(store);
    default:
      return {};
  }
}

template <class T>
Handlers pick_width(const Selector& s, bool store) {
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (s.destination_bits) {
    case 16:
      if constexpr (sizeof(T) <= 2)
        return pick_count<T, std::conditional_t<is_signed, int16_t, uint16_t>>(s, store);
      return {};
    case 32:
      if constexpr (sizeof(T) <= 4)
        return pick_count<T, std::conditional_t<is_signed, int32_t, uint32_t>>(s, store);
      return {};
    case 64:
      return pick_count<T, std::conditional_t<is_signed, int64_t, uint64_t>>(s, store);
    default:
      return {};
  }
}

}  // namespace

// For ld and st whose Selector::operation is param_func.
Handlers pick_param(const Selector& s) {
  const bool store = s.opcode == ptx::Opcode::st;
  const bool is_signed = ptx::is_signed(s.type) && !store;
  switch (ptx::bits_of(s.type)) {
    case 8:
      return is_signed ? pick_width<int8_t>(s, store) : pick_width<uint8_t>(s, store);
    case 16:
      return is_signed ? pick_width<int16_t>(s, store) : pick_width<uint16_t>(s, store);
    case 32:
      return is_signed ? pick_width<int32_t>(s, store) : pick_width<uint32_t>(s, store);
    case 64:
      return pick_width<uint64_t>(s, store);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
