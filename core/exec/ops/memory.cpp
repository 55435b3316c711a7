// ld and st, PTX ISA 9.7.9.8 and 9.7.9.11. An access is resolved first (access.h), then its bytes move.
#include "core/exec/ops/common.h"
#include "core/observe/coalescing.h"

#include "core/exec/isa_begin.h"
#include "core/exec/ops/access.h"
#include "core/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// Moves the bytes of one vector access. T: in memory; R: the register's lanes (as wide or wider, extended).
template <class T, class R, uint32_t N>
struct Transfer {
  static constexpr uint32_t bytes = sizeof(T) * N;

  static T read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }
  static void load_lane(const std::byte* from, R* const (&registers)[4], uint32_t lane) {
    for (uint32_t i = 0; i < N; ++i) {
      if (registers[i] != nullptr) registers[i][lane] = static_cast<R>(read(from + i * sizeof(T)));
    }
  }
  static void store_lane(std::byte* to, R* const (&registers)[4], uint32_t lane) {
    for (uint32_t i = 0; i < N; ++i) {
      const T value = static_cast<T>(registers[i][lane]);
      std::memcpy(to + i * sizeof(T), &value, sizeof(T));
    }
  }
  static void load(const Warp& warp, const uint64_t* address, const Resolved& at, R* const (&registers)[4]) {
    if (at.contiguous && N == 1) {
      const std::byte* from = at.origin + address[0];
      R* __restrict to = registers[0];
      if (to == nullptr) return;
      WARPLENS_LANES
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        to[lane] = static_cast<R>(read(from + lane * sizeof(T)));
    } else if (warp.mode == all_lanes) {
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        load_lane(at.origin + address[lane], registers, lane);
    } else {
      for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        load_lane(at.origin + address[lane], registers, lane);
      }
    }
  }
  static void store(const Warp& warp, const uint64_t* address, const Resolved& at, R* const (&registers)[4]) {
    if (at.contiguous && N == 1) {
      std::byte* to = at.origin + address[0];
      const R* from = registers[0];
      alignas(64) T values[warp_lanes];
      WARPLENS_LANES
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) values[lane] = static_cast<T>(from[lane]);
      std::memcpy(to, values, sizeof values);
    } else {
      for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        store_lane(at.origin + address[lane], registers, lane);
      }
    }
  }
  template <bool Store>
  static void move(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    const uint32_t slots[4] = {op->d, op->b, op->c, op->e};
    R* registers[4] = {};
    for (uint32_t i = 0; i < N; ++i) registers[i] = slots[i] == no_slot ? nullptr : warp.reg<R>(slots[i]);
    if (at.origin != nullptr || at.contiguous) {
      if constexpr (Store)
        store(warp, address, at, registers);
      else
        load(warp, address, at, registers);
      return;
    }
    // The lanes lie in several allocations.
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const Allocation* allocation = warp.block->memory->find(address[lane]);
      std::byte* host = allocation->host + (address[lane] - allocation->begin);
      if constexpr (Store) {
        if (allocation->writers != nullptr) {
          const uint32_t mask = warp.mask;
          warp.mask = 1u << lane;
          note_writers(op, warp, *allocation, address);
          warp.mask = mask;
        }
        store_lane(host, registers, lane);
      } else {
        load_lane(host, registers, lane);
      }
    }
  }

  template <Space S, bool Store>
  static const Op* run(const Op* op, Warp& warp) {
    alignas(64) Addresses address;
    gather_addresses(op, warp, address);
    if constexpr (S == Space::global) {
      const Resolved at = resolve_global(op, warp, address);
      if (!at.ok) return nullptr;
      move<Store>(op, warp, address, at);
    } else if constexpr (S == Space::shared) {
      const Resolved at = resolve_shared(op, warp, address);
      if (!at.ok) return nullptr;
      move<Store>(op, warp, address, at);
    } else if constexpr (S == Space::parameter) {
      // const_cast: the stores of this space are refused at decode.
      auto* parameters = const_cast<std::byte*>(warp.block->parameters);
      const Resolved at = resolve_range(op, warp, address, parameters, warp.block->parameter_bytes, S);
      if (!at.ok) return nullptr;
      move<Store>(op, warp, address, at);
    } else if constexpr (S == Space::local) {
      return run_local<Store>(op, warp, address);
    } else {
      return run_generic<Store>(op, warp, address);
    }
    return op + 1;
  }

  // Each lane has its own local memory. The hardware interleaves it, so that lanes which use the same offset
  // touch neighbouring words: the sectors are those of the interleaved addresses.
  template <bool Store>
  static const Op* run_local(const Op* op, Warp& warp, uint64_t* address) {
    BlockContext& block = *warp.block;
    const Resolved at = resolve_range(op, warp, address, warp.local, block.local_bytes, Space::local);
    if (!at.ok) return nullptr;
    alignas(64) Addresses interleaved;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      interleaved[lane] = (address[lane] / 4 * warp_lanes + lane) * 4 + address[lane] % 4;
      address[lane] += uint64_t{lane} * block.local_bytes;
    }
    if (block.count_memory) count_global(op, warp, interleaved, false);
    if (block.recorder != nullptr)
      block.recorder->record(*op, warp.index, warp.mask, Space::local, kind_of(op), address);
    Resolved lanes_at{.origin = warp.local, .contiguous = false, .ok = true};
    move<Store>(op, warp, address, lanes_at);
    return op + 1;
  }

  // A generic address is global, or lies in the window of shared or local memory; lanes may differ.
  template <bool Store>
  static const Op* run_generic(const Op* op, Warp& warp, const uint64_t* address) {
    uint32_t in_shared = 0, in_local = 0;
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      in_shared |= uint32_t{address[lane] - shared_window < window_bytes} << lane;
      in_local |= uint32_t{address[lane] - local_window < window_bytes} << lane;
    }
    const uint32_t all = warp.mask;
    const uint32_t parts[3] = {all & ~in_shared & ~in_local, in_shared, in_local};
    const uint64_t bases[3] = {0, shared_window, local_window};
    for (uint32_t part = 0; part < 3; ++part) {
      if (parts[part] == 0) continue;
      if (parts[part] != all) set_mask(warp, parts[part]);
      alignas(64) Addresses relative;
      const auto first = static_cast<uint32_t>(std::countr_zero(parts[part]));
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        relative[lane] = address[parts[part] >> lane & 1u ? lane : first] - bases[part];
      }
      bool ok = true;
      if (part == 2) {
        ok = run_local<Store>(op, warp, relative) != nullptr;
      } else {
        const Resolved at =
            part == 0 ? resolve_global(op, warp, relative) : resolve_shared(op, warp, relative);
        ok = at.ok;
        if (ok) move<Store>(op, warp, relative, at);
      }
      if (parts[part] != all) set_mask(warp, all);
      if (!ok) return nullptr;
    }
    return op + 1;
  }

  template <Space S>
  static Handlers handlers(bool store) {
    return store ? Handlers{{&run<S, true>, &run<S, true>}} : Handlers{{&run<S, false>, &run<S, false>}};
  }
};

template <class T, class R, uint32_t N>
Handlers pick_space(const Selector& s, bool store) {
  using ptx::Modifier;
  switch (s.operation) {  // the space
    case Modifier::global:
      return Transfer<T, R, N>::template handlers<Space::global>(store);
    case Modifier::constant:
      return Transfer<T, R, N>::template handlers<Space::constant>(false);
    case Modifier::shared:
      return Transfer<T, R, N>::template handlers<Space::shared>(store);
    case Modifier::local:
      return Transfer<T, R, N>::template handlers<Space::local>(store);
    case Modifier::param:
      return Transfer<T, R, N>::template handlers<Space::parameter>(false);
    default:
      return Transfer<T, R, N>::template handlers<Space::generic>(store);
  }
}
template <class T, class R>
Handlers pick_vector(const Selector& s, bool store) {
  switch (s.vector) {
    case 1:
      return pick_space<T, R, 1>(s, store);
    case 2:
      return pick_space<T, R, 2>(s, store);
    case 4:
      if constexpr (sizeof(T) <= 4) return pick_space<T, R, 4>(s, store);
      return {};
    default:
      return {};
  }
}
template <class T>
Handlers pick_register(const Selector& s, bool store) {
  switch (s.destination_bits) {
    case 16:
      if constexpr (sizeof(T) <= 2)
        return pick_vector<T, std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>>(s, store);
      return {};
    case 32:
      if constexpr (sizeof(T) <= 4)
        return pick_vector<T, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>(s, store);
      return {};
    case 64:
      return pick_vector<T, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(s, store);
    default:
      return {};
  }
}

}  // namespace

// Selector::operation carries the state space; destination_bits the width of the registers, of stores too.
Handlers pick_memory(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  const bool store = s.opcode == Opcode::st;
  if (!store && s.opcode != Opcode::ld && s.opcode != Opcode::ldu) return {};
  const bool is_signed = ptx::is_signed(s.type);
  switch (ptx::bits_of(s.type)) {
    case 8:
      return is_signed ? pick_register<int8_t>(s, store) : pick_register<uint8_t>(s, store);
    case 16:
      return is_signed ? pick_register<int16_t>(s, store) : pick_register<uint16_t>(s, store);
    case 32:
      return is_signed ? pick_register<int32_t>(s, store) : pick_register<uint32_t>(s, store);
    case 64:
      return is_signed ? pick_register<int64_t>(s, store) : pick_register<uint64_t>(s, store);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/exec/isa_end.h"
