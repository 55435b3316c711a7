// Resolves the memory access of a warp: addresses, bounds, alignment, counters, writers. This is done once
// for the whole request if its addresses are contiguous or in one allocation. Included between isa_begin.h
// and isa_end.h.
#pragma once

#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/passed_faults.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

using Addresses = uint64_t[warp_lanes];

// An origin that no allocation has: allocations made here are aligned, and memory of the host has origin 0.
inline constexpr uintptr_t no_origin = 1;

// Where the lanes' bytes are: host address = origin + address[lane]. no_origin if a lane failed. A number and
// no pointer, since it may be outside of every object.
struct Resolved {
  uintptr_t origin = no_origin;
  bool contiguous = false;  // lane l is at first + l · bytes
  bool ok = false;
};

inline std::byte* host_at(uintptr_t origin, uint64_t address) {
  return reinterpret_cast<std::byte*>(origin + address);
}

// Collects the lanes' addresses. Inactive lanes repeat the first active one, so whole-warp checks need no
// mask.
inline void gather_addresses(const Op* op, const Warp& warp, uint64_t* address) {
  const uint64_t offset = address_offset(*op);
  const auto add = [&](const auto* base) {
    if (is_in_short_space(*op)) {
      WARPLENS_LANES
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) address[lane] = in_short_space(base[lane], offset);
    } else {
      WARPLENS_LANES
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) address[lane] = base[lane] + offset;
    }
  };
  if (has_known_address(*op)) {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) address[lane] = offset;
    return;
  }
  if (has_narrow_address(*op)) {
    add(warp.reg<uint32_t>(address_base(*op)));
  } else {
    add(warp.reg<uint64_t>(address_base(*op)));
  }
  if (warp.mode == some_lanes) {
    const uint64_t first = address[std::countr_zero(warp.mask)];
    const uint32_t* active = warp.lanes.data();
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) address[lane] = active[lane] ? address[lane] : first;
  }
}

inline bool is_contiguous(const uint64_t* address, uint32_t bytes) {
  uint64_t different = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    different |= address[lane] ^ (address[0] + uint64_t{lane} * bytes);
  return different == 0;
}

// A generic address is global, or is in the window of shared or local memory or of the parameters; lanes may
// differ. Calls `access` once for each space that active lanes address, with the space's number (0 global, 1
// shared, 2 local, 3 parameters), with only the lanes of this space active, and with addresses relative to
// the start of the space. Stops when `access` returns false.
template <uint32_t Spaces, class Access>
bool in_each_space(Warp& warp, const uint64_t* address, Access access) {
  constexpr uint64_t bases[4] = {0, shared_window, local_window, parameter_window};
  const uint32_t all = warp.mask;
  uint32_t parts[4] = {all};
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    for (uint32_t space = 1; space < Spaces; ++space)
      parts[space] |= uint32_t{address[lane] - bases[space] < window_bytes} << lane & all;
  for (uint32_t space = 1; space < Spaces; ++space) parts[0] &= ~parts[space];
  for (uint32_t space = 0; space < Spaces; ++space) {
    if (parts[space] == 0) continue;
    if (parts[space] != all) set_mask(warp, parts[space]);
    alignas(64) Addresses relative;
    const auto first = static_cast<uint32_t>(std::countr_zero(parts[space]));
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      relative[lane] = address[parts[space] >> lane & 1u ? lane : first] - bases[space];
    const bool ok = access(space, relative);
    if (parts[space] != all) set_mask(warp, all);
    if (!ok) return false;
  }
  return true;
}

struct Extent {
  uint64_t low, high, bits;  // smallest address, largest address, and the bitwise or of all
};
inline Extent extent_of(const uint64_t* address) {
  uint64_t low = address[0], high = address[0], bits = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    low = address[lane] < low ? address[lane] : low;
    high = address[lane] > high ? address[lane] : high;
    bits |= address[lane];
  }
  return {low, high, bits};
}

// Whether the whole request is within [begin, end). Addresses may wrap around 2^64, so sums are not compared.
inline bool inside(const Extent& extent, uint32_t bytes, uint64_t begin, uint64_t end) {
  return extent.low >= begin && extent.low < end && extent.high < end && end - extent.high >= bytes &&
         extent.low <= extent.high;
}

// The sectors of ascending addresses, the usual case. Inactive lanes repeat the first address and add no
// sector. 0 if the addresses do not ascend.
inline observe::Sectors ascending_sectors(const uint64_t* address, uint32_t bytes) {
  uint32_t sectors = 0, lines = 0, distinct = 0, descents = 0;
  WARPLENS_LANES
  for (uint32_t lane = 1; lane < warp_lanes; ++lane) {
    const uint64_t here = address[lane], before = address[lane - 1];
    sectors += (here >> 5) != (before >> 5);
    lines += (here >> 7) != (before >> 7);
    distinct += here != before;
    descents += here < before;
  }
  if (descents != 0) return {};
  return {sectors + 1, static_cast<uint32_t>(((distinct + 1) * bytes + 31) / 32), lines + 1};
}

[[gnu::noinline]] inline void count_heat(MemoryOpState& state, uint32_t mask, const uint64_t* address) {
  AtomicHeat& heat = *state.heat;
  if (state.merges) mask &= 0u - mask;  // the first lane represents all
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const size_t cell = address[std::countr_zero(rest)] / 4 % AtomicHeat::cells;
    ++heat.lanes[cell];
    heat.requests[cell] += heat.seen[cell] != state.requests;
    heat.seen[cell] = state.requests;
  }
}

// One request to global memory.
inline void add_request(MemoryOpState& state, BlockContext& block, const observe::Sectors& sectors) {
  ++state.requests;
  state.sectors += sectors.touched;
  state.sectors_ideal += sectors.ideal;
  state.lines += sectors.lines;
  block.block_sectors += sectors.touched;
}

// Two addresses are the same, or are in one sector or line, if their exclusive or is small enough. So the
// smallest exclusive or with any address before it tells all three. Inactive lanes repeat the first address.
// Nothing if the addresses are too far apart.
[[gnu::noinline]] inline observe::Sectors sectors_in_any_order(const uint64_t* address, uint32_t bytes) {
  using Half = int32_t __attribute__((vector_size(64)));
  constexpr int32_t lanes = 16, far = INT32_MAX;
  const Extent extent = extent_of(address);
  const uint64_t base = extent.low & ~uint64_t{127};
  if (extent.high - base >= uint64_t{far}) return {};
  alignas(64) int32_t at[warp_lanes];
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) at[lane] = static_cast<int32_t>(address[lane] - base);
  Half low, high;
  std::memcpy(&low, at, sizeof low);
  std::memcpy(&high, at + lanes, sizeof high);
  constexpr Half numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  Half nearest_low = numbers * 0 + far, nearest_high = nearest_low;
  for (int32_t before = 0; before < lanes; ++before) {
    const Half in_low = low ^ at[before], across = high ^ at[before], in_high = high ^ at[lanes + before];
    nearest_low = ((numbers > before) & (in_low < nearest_low)) ? in_low : nearest_low;
    nearest_high = across < nearest_high ? across : nearest_high;
    nearest_high = ((numbers > before) & (in_high < nearest_high)) ? in_high : nearest_high;
  }
  const Half distinct = (nearest_low != 0) + (nearest_high != 0);
  const Half sectors = (nearest_low >= 32) + (nearest_high >= 32);
  const Half lines = (nearest_low >= 128) + (nearest_high >= 128);
  int32_t sums[3] = {};  // each comparison that holds is -1
  for (int32_t lane = 0; lane < lanes; ++lane) {
    sums[0] -= distinct[lane];
    sums[1] -= sectors[lane];
    sums[2] -= lines[lane];
  }
  return {static_cast<uint32_t>(sums[1]), (static_cast<uint32_t>(sums[0]) * bytes + 31) / 32,
          static_cast<uint32_t>(sums[2])};
}

[[gnu::noinline]] inline void count_global(const Op* op, Warp& warp, const uint64_t* address,
                                           bool contiguous) {
  MemoryOpState& state = warp.block->memory_ops[access_counter(*op)];
  const uint32_t bytes = op->bytes;
  observe::Sectors sectors;
  if (contiguous) {
    sectors = observe::sectors_of_row(address[0], bytes);
  } else {
    const bool is_whole = warp.mode == all_lanes;
    if (is_whole) sectors = ascending_sectors(address, bytes);
    if (sectors.touched == 0) {
      constexpr uint32_t few = 6;  // are faster one by one
      if (warp.active > few) sectors = sectors_in_any_order(address, bytes);
      if (sectors.touched == 0) sectors = observe::sectors_of(address, warp.mask, bytes);
      if (is_whole) warp.steps -= slow_steps;
    }
  }
  add_request(state, *warp.block, sectors);
  if (state.heat != nullptr) count_heat(state, warp.mask, address);
}

[[gnu::noinline]] inline void count_local(const Op* op, Warp& warp, const uint64_t* address) {
  MemoryOpState& state = warp.block->memory_ops[access_counter(*op)];
  const observe::Sectors sectors = observe::sectors_of_local(address, warp.mask, op->bytes);
  ++state.requests;
  state.sectors += sectors.touched;
  state.sectors_ideal += sectors.ideal;
  warp.steps -= slow_steps;
}

inline void fail(const Op* op, Warp& warp, FaultKind kind, uint32_t lane, uint64_t address, Space space) {
  raise(warp, {.kind = kind,
               .op = op,
               .lane = lane,
               .address = address,
               .bytes = op->bytes,
               .space = space,
               .access = access_kind(*op),
               .detail = {}});
}

// An aligned access is within one page.
inline void note_local_writers(const Warp& warp, const uint64_t* address) {
  uint64_t different = 0;
  WARPLENS_LANES
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) different |= address[lane] ^ address[0];
  if (different < local_page_bytes) {
    warp.local_writers[address[0] / local_page_bytes] |= warp.mask;
    return;
  }
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    warp.local_writers[address[lane] / local_page_bytes] |= warp.mask & 1u << lane;
}

// Alignment: every lane's address is a multiple of the access's size (PTX ISA 6.4).
[[gnu::noinline]] inline bool check_alignment(const Op* op, Warp& warp, const uint64_t* address,
                                              uint64_t bits, Space space) {
  const uint64_t low = op->bytes - 1u;
  if ((bits & low) == 0) return true;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if ((address[lane] & low) != 0) {
      fail(op, warp, FaultKind::misaligned, lane, address[lane], space);
      return false;
    }
  }
  return true;
}

// Blocks that run at the same time may write to one element. Each entry is written whole, and one of them
// remains.
[[gnu::noinline]] inline void note_writers(const Op* op, const Warp& warp, const Allocation& allocation,
                                           const uint64_t* address) {
  const uint32_t elements = op->bytes >> allocation.writer_shift;
  const uint64_t first_writer = warp.block->first_writer + warp.index * warp_lanes;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    uint64_t* writer = allocation.writers + ((address[lane] - allocation.begin) >> allocation.writer_shift);
    for (uint32_t i = 0; i < (elements == 0 ? 1 : elements); ++i)
      __atomic_store_n(writer + i, first_writer + lane, __ATOMIC_RELAXED);
  }
}

// Blocks that run at the same time write the same notes.
[[gnu::noinline]] inline void note_bytes(const Op* op, uint32_t mask, const Allocation& allocation,
                                         const uint64_t* address) {
  const AccessKind kind = access_kind(*op);
  const bool reads = allocation.read_unwritten != nullptr && kind != AccessKind::store;
  if (allocation.touched != nullptr && kind == AccessKind::atomic) allocation.touched->any_atomic = true;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t at = address[std::countr_zero(rest)], offset = at - allocation.begin;
    if (reads && std::memchr(allocation.stored + offset, 0, op->bytes) != nullptr)
      *allocation.read_unwritten = 1;
    if (kind == AccessKind::load) {
      allocation.note<false>(at, op->bytes);
    } else if (kind == AccessKind::store) {
      allocation.note<true>(at, op->bytes);
    } else {
      if (allocation.stored != nullptr) std::memset(allocation.stored + offset, 1, op->bytes);
      if (allocation.touched != nullptr) std::memset(allocation.touched->atomics + offset, 1, op->bytes);
    }
  }
}

// The slow path: lane by lane, each in its own allocation. Reports the first lane that fails.
[[gnu::noinline]] inline bool check_each_lane(const Op* op, Warp& warp, const uint64_t* address) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const Allocation* allocation = warp.block->memory->find(address[lane]);
    if (allocation == nullptr || allocation->end - address[lane] < op->bytes) {
      fail(op, warp, FaultKind::out_of_bounds, lane, address[lane], Space::global);
      return false;
    }
    if (allocation->read_only && writes_memory(*op)) {
      fail(op, warp, FaultKind::read_only, lane, address[lane], Space::global);
      return false;
    }
    if (allocation->notes_bytes()) note_bytes(op, 1u << lane, *allocation, address);
  }
  return true;
}

// After `access` has failed: if it is outside of memory and the launch goes on nevertheless, each lane makes
// it on its own. `give_zero` is called for the lanes that are outside. Nothing has been counted or changed
// yet.
template <class Access, class GiveZero>
[[gnu::noinline]] bool goes_on(const Op* op, Warp& warp, const uint64_t* address, const Access& access,
                               const GiveZero& give_zero) {
  if (!can_pass(warp)) return false;
  const auto passes = [&](uint32_t lane) {
    if (!pass_fault(warp)) return false;
    give_zero(lane);
    return true;
  };
  const uint32_t all = warp.mask;
  if (std::has_single_bit(all)) return passes(static_cast<uint32_t>(std::countr_zero(all)));
  bool ok = true;
  for (uint32_t rest = all; ok && rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    alignas(64) Addresses own;
    for (uint64_t& one : own) one = address[lane];
    set_mask(warp, 1u << lane);
    ok = access(op, warp, own) || passes(lane);
  }
  set_mask(warp, all);
  return ok;
}

// Global memory. If ok is true and there is no origin, the lanes are in several allocations.
[[gnu::noinline]] inline Resolved resolve_global(const Op* op, Warp& warp, const uint64_t* address) {
  const uint32_t bytes = op->bytes;
  Resolved resolved{.contiguous = warp.mode == all_lanes && is_contiguous(address, bytes)};
  const Extent extent =
      resolved.contiguous ? Extent{address[0], address[warp_lanes - 1], address[0]} : extent_of(address);
  if (!check_alignment(op, warp, address, extent.bits, Space::global)) return resolved;
  MemoryOpState& state = warp.block->memory_ops[access_counter(*op)];
  const Allocation* allocation = state.allocation;
  const auto holds = [&](const Allocation* a) {
    return a != nullptr && inside(extent, bytes, a->begin, a->end);
  };
  if (!holds(allocation)) allocation = warp.block->memory->find(extent.low);
  const bool writes = writes_memory(*op);
  if (!resolved.contiguous) warp.steps -= scattered_steps;
  if (!holds(allocation) || (writes && allocation->read_only)) {
    warp.steps -= slow_steps;
    if (!check_each_lane(op, warp, address)) return resolved;
    allocation = nullptr;
  } else {
    state.allocation = allocation;
    resolved.origin = allocation->origin();
    if (writes && allocation->writers != nullptr) note_writers(op, warp, *allocation, address);
    if (allocation->notes_bytes()) note_bytes(op, warp.mask, *allocation, address);
  }
  if (warp.block->count_memory) count_global(op, warp, address, resolved.contiguous);
  if (warp.block->recorder != nullptr) {
    warp.block->recorder->record(*op, warp.index, warp.mask, Space::global, access_kind(*op), address);
  }
  resolved.ok = true;
  return resolved;
}

// The conflict degree does not change when all addresses move by the same number of words, so a pattern is
// analysed once.
[[gnu::noinline]] inline void count_shared(const Op* op, Warp& warp, const uint64_t* address) {
  MemoryOpState& state = warp.block->memory_ops[access_counter(*op)];
  ++state.requests;
  alignas(64) uint32_t pattern[warp_lanes];
  uint32_t different = 0;
  const uint64_t base = address[0] & ~uint64_t{3};
  WARPLENS_LANES
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    pattern[lane] = static_cast<uint32_t>(address[lane] - base);
    different |= pattern[lane] ^ state.pattern[lane];
  }
  if (different != 0 || state.pattern_mask != warp.mask) {
    const observe::Wavefronts wavefronts =
        (op->flags & flag_atomic) != 0
            ? observe::atomic_wavefronts(address, warp.mask, op->bytes)
            : observe::wavefronts_of(address, warp.mask, op->bytes, (op->flags & flag_store) == 0);
    std::memcpy(state.pattern.data(), pattern, sizeof pattern);
    state.pattern_mask = warp.mask;
    state.shape_counted = false;
    state.pattern_wavefronts = wavefronts.count;
    state.pattern_conflicts = wavefronts.conflicts;
  }
  state.wavefronts += state.pattern_wavefronts;
  state.conflicts += state.pattern_conflicts;
}

// Resolves an access to shared, local or param memory: one range of `size` bytes.
[[gnu::noinline]] inline Resolved resolve_range(const Op* op, Warp& warp, const uint64_t* address,
                                                const std::byte* host, uint64_t size, Space space) {
  const uint32_t bytes = op->bytes;
  Resolved resolved{.origin = reinterpret_cast<uintptr_t>(host),
                    .contiguous = warp.mode == all_lanes && is_contiguous(address, bytes)};
  const Extent extent =
      resolved.contiguous ? Extent{address[0], address[warp_lanes - 1], address[0]} : extent_of(address);
  if (!check_alignment(op, warp, address, extent.bits, space)) return resolved;
  if (!resolved.contiguous) warp.steps -= scattered_steps;
  if (!inside(extent, bytes, 0, size)) {
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (address[lane] < size && size - address[lane] >= bytes) continue;
      fail(op, warp, FaultKind::out_of_bounds, lane, address[lane], space);
      return resolved;
    }
  }
  resolved.ok = true;
  return resolved;
}

[[gnu::noinline]] inline Resolved resolve_shared(const Op* op, Warp& warp, const uint64_t* address) {
  BlockContext& block = *warp.block;
  const Resolved resolved = resolve_range(op, warp, address, block.shared, block.shared_bytes, Space::shared);
  if (!resolved.ok) return resolved;
  if (block.count_memory) count_shared(op, warp, address);
  if (block.recorder != nullptr)
    block.recorder->record(*op, warp.index, warp.mask, Space::shared, access_kind(*op), address);
  return resolved;
}

}  // namespace

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
