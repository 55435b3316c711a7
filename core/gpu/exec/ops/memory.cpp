// ld and st, PTX ISA 9.7.9.8 and 9.7.9.11. An access is resolved first (access.h), then its bytes are copied.
#include "core/gpu/exec/ops/common.h"
#include "core/gpu/observe/coalescing.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/access.h"
#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/ops/whole_warp.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

Handlers pick_param(const Selector&);  // param.cpp

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
  static void load(const Warp& warp, const uint64_t* address, uintptr_t origin, bool contiguous,
                   R* const (&registers)[4]) {
    if (contiguous && N == 1) {
      const std::byte* from = host_at(origin, address[0]);
      R* __restrict to = registers[0];
      if (to == nullptr) return;
      WARPLENS_LANES
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        to[lane] = static_cast<R>(read(from + lane * sizeof(T)));
    } else if (warp.mode == all_lanes) {
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        load_lane(host_at(origin, address[lane]), registers, lane);
    } else {
      for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        load_lane(host_at(origin, address[lane]), registers, lane);
      }
    }
  }
  static void store(const Warp& warp, const uint64_t* address, uintptr_t origin, bool contiguous,
                    R* const (&registers)[4]) {
    if (contiguous && N == 1) {
      std::byte* to = host_at(origin, address[0]);
      const R* from = registers[0];
      alignas(64) T values[warp_lanes];
      WARPLENS_LANES
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) values[lane] = static_cast<T>(from[lane]);
      std::memcpy(to, values, sizeof values);
    } else {
      for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        store_lane(host_at(origin, address[lane]), registers, lane);
      }
    }
  }
  template <bool Store>
  static void move(const Op* op, Warp& warp, const uint64_t* address, uintptr_t origin, bool contiguous) {
    const uint32_t slots[4] = {op->d, op->b, op->c, op->e};
    R* registers[4] = {};
    for (uint32_t i = 0; i < N; ++i) registers[i] = slots[i] == no_slot ? nullptr : warp.reg<R>(slots[i]);
    if constexpr (Store) {
      store(warp, address, origin, contiguous, registers);
    } else {
      load(warp, address, origin, contiguous, registers);
    }
  }
};

void move_resolved(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
  if (at.origin != no_origin) {
    op->handlers.move(op, warp, address, at.origin, at.contiguous);
    return;
  }
  // The lanes are in several allocations: one lane after the other.
  const uint32_t all = warp.mask;
  for (uint32_t rest = all; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const Allocation* allocation = warp.block->memory->find(address[lane]);
    set_mask(warp, 1u << lane);
    if (is_store(*op) && allocation->writers != nullptr) note_writers(op, warp, *allocation, address);
    op->handlers.move(op, warp, address, allocation->origin(), false);
  }
  set_mask(warp, all);
}

// As goes_on, for ld and st.
template <bool (*Access)(const Op*, Warp&, const uint64_t*)>
bool moves_on(const Op* op, Warp& warp, const uint64_t* address) {
  return goes_on(op, warp, address, Access, [&](uint32_t) {
    if (is_store(*op)) return;
    static constexpr std::byte zeros[64] = {};
    constexpr Addresses none = {};
    op->handlers.move(op, warp, none, reinterpret_cast<uintptr_t>(zeros), false);
  });
}

bool access_global(const Op* op, Warp& warp, const uint64_t* address) {
  const Resolved at = resolve_global(op, warp, address);
  if (!at.ok) return moves_on<&access_global>(op, warp, address);
  move_resolved(op, warp, address, at);
  return true;
}

bool access_shared(const Op* op, Warp& warp, const uint64_t* address) {
  const Resolved at = resolve_shared(op, warp, address);
  if (!at.ok) return moves_on<&access_shared>(op, warp, address);
  op->handlers.move(op, warp, address, at.origin, at.contiguous);
  return true;
}

// Each lane has its own local memory.
bool access_local(const Op* op, Warp& warp, const uint64_t* address) {
  BlockContext& block = *warp.block;
  const Resolved at = resolve_range(op, warp, address, warp.local, block.local_bytes, Space::local);
  if (!at.ok) return moves_on<&access_local>(op, warp, address);
  if (is_store(*op)) note_local_writers(warp, address);
  alignas(64) Addresses own;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    own[lane] = address[lane] + uint64_t{lane} * block.local_bytes;
  if (block.count_memory) count_local(op, warp, address);
  if (block.recorder != nullptr) {
    block.recorder->record(*op, warp.index, warp.mask, Space::local, access_kind(*op), address);
  }
  op->handlers.move(op, warp, own, at.origin, false);
  return true;
}

// A kernel's own parameters, which cannot be written.
bool access_parameters(const Op* op, Warp& warp, const uint64_t* address) {
  if (is_store(*op)) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(warp.mask));
    fail(op, warp, FaultKind::read_only, lane, address[lane], Space::parameter);
    return false;
  }
  const Resolved at =
      resolve_range(op, warp, address, warp.block->parameters, warp.block->parameter_bytes, Space::parameter);
  if (at.ok) op->handlers.move(op, warp, address, at.origin, at.contiguous);
  return at.ok;
}

// Decode gives a generic access a counter for each space that it may address: global, shared, local.
bool access_as(bool (*access)(const Op*, Warp&, const uint64_t*), uint32_t space, const Op* op, Warp& warp,
               const uint64_t* address) {
  if (space == 0) return access(op, warp, address);
  Op counted = *op;
  counted.state += space < 3 ? space : 0;
  const bool ok = access(&counted, warp, address);
  if (!ok) warp.fault.op = op;
  return ok;
}

bool access_generic(const Op* op, Warp& warp, const uint64_t* address) {
  bool (*const accesses[4])(const Op*, Warp&, const uint64_t*) = {&access_global, &access_shared,
                                                                  &access_local, &access_parameters};
  return in_each_space<4>(warp, address, [&](uint32_t space, const uint64_t* relative) {
    return access_as(accesses[space], space, op, warp, relative);
  });
}

template <bool (*Access)(const Op*, Warp&, const uint64_t*)>
const Op* run_access(const Op* op, Warp& warp) {
  alignas(64) Addresses address;
  gather_addresses(op, warp, address);
  return Access(op, warp, address) ? op + 1 : nullptr;
}

Handler pick_space(ptx::Modifier space) {
  using ptx::Modifier;
  switch (space) {
    case Modifier::global:
    case Modifier::constant:
      return &run_access<&access_global>;
    case Modifier::shared:
      return &run_access<&access_shared>;
    case Modifier::local:
      return &run_access<&access_local>;
    case Modifier::param:
      return &run_access<&access_parameters>;
    default:
      return &run_access<&access_generic>;
  }
}

struct Bits128 {
  uint64_t low, high;
};

// The functions that copy the bytes: one for any mask, and those for whole warps in global and shared memory.
struct Moves {
  Mover move = nullptr;
  Handler global = nullptr, shared = nullptr;
};

template <class T, class R, uint32_t N>
Moves mover(bool store) {
  Moves moves{store ? &Transfer<T, R, N>::template move<true> : &Transfer<T, R, N>::template move<false>};
  if constexpr (N == 1 && sizeof(T) <= 8) {
    moves.global = store ? &run_side_by_side<T, R, true> : &run_side_by_side<T, R, false>;
    moves.shared = store ? &run_shaped_shared<T, R, true> : &run_shaped_shared<T, R, false>;
  }
  return moves;
}
template <class T, class R>
Moves pick_vector(const Selector& s, bool store) {
  switch (s.vector) {
    case 1:
      return mover<T, R, 1>(store);
    case 2:
      return mover<T, R, 2>(store);
    case 4:
      if constexpr (sizeof(T) <= 4) return mover<T, R, 4>(store);
      return {};
    default:
      return {};
  }
}
template <class T>
Moves pick_register(const Selector& s, bool store) {
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (s.destination_bits) {
    case 16:
      if constexpr (sizeof(T) <= 2)
        return pick_vector<T, std::conditional_t<is_signed, int16_t, uint16_t>>(s, store);
      return {};
    case 32:
      if constexpr (sizeof(T) <= 4)
        return pick_vector<T, std::conditional_t<is_signed, int32_t, uint32_t>>(s, store);
      return {};
    case 64:
      return pick_vector<T, std::conditional_t<is_signed, int64_t, uint64_t>>(s, store);
    default:
      return {};
  }
}
Moves pick_mover(const Selector& s, bool store) {
  // A store drops the high bits of signed and unsigned values alike.
  const bool is_signed = ptx::is_signed(s.type) && !store;
  switch (ptx::bits_of(s.type)) {
    case 8:
      return is_signed ? pick_register<int8_t>(s, store) : pick_register<uint8_t>(s, store);
    case 16:
      return is_signed ? pick_register<int16_t>(s, store) : pick_register<uint16_t>(s, store);
    case 32:
      return is_signed ? pick_register<int32_t>(s, store) : pick_register<uint32_t>(s, store);
    case 64:
      return pick_register<uint64_t>(s, store);
    case 128:
      return s.vector == 1 ? mover<Bits128, Bits128, 1>(store) : Moves{};
    default:
      return {};
  }
}

}  // namespace

// Selector::operation is the state space; destination_bits is the width of the registers, also for stores.
Handlers pick_memory(const Selector& s) {
  using ptx::Opcode;
  const bool store = s.opcode == Opcode::st;
  if (!store && s.opcode != Opcode::ld && s.opcode != Opcode::ldu) return {};
  if (s.operation == ptx::Modifier::param_func) return pick_param(s);
  const Moves moves = pick_mover(s, store);
  if (moves.move == nullptr) return {};
  const Handler run = pick_space(s.operation);
  const Handler whole = run == &run_access<&access_global>   ? moves.global
                        : run == &run_access<&access_shared> ? moves.shared
                                                             : nullptr;
  return {{whole != nullptr ? whole : run, run}, moves.move};
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
