// Loads and stores of warps with all lanes active, which have shorter paths than other masks. Included
// between isa_begin.h and isa_end.h by memory.cpp, which has the general path.
#pragma once

#include "core/gpu/exec/ops/shaped.h"
#include "core/gpu/exec/state/counters.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

bool access_global(const Op* op, Warp& warp, const uint64_t* address);
bool access_shared(const Op* op, Warp& warp, const uint64_t* address);

// The general path. After it, the instruction may have learnt the shape of its addresses.
template <bool (*Access)(const Op*, Warp&, const uint64_t*)>
[[gnu::noinline]] const Op* run_and_learn(const Op* op, Warp& warp) {
  alignas(64) Addresses address;
  gather_addresses(op, warp, address);
  if (!Access(op, warp, address)) return nullptr;
  BlockContext& block = *warp.block;
  if (block.shapes == nullptr) return op + 1;
  MemoryOpState& state = block.memory_ops[access_counter(*op)];
  if (state.shape.learn(*block.shapes, address, op->bytes)) {
    state.shape_counted = block.count_memory && state.pattern_mask == warp.mask;
    state.shape_phase = static_cast<uint8_t>(address[0] % 4);
  }
  return op + 1;
}

// Whether an access needs no other note than that of its bytes.
template <bool Store>
bool takes_the_short_path(const Allocation& allocation) {
  return Store ? !allocation.read_only && allocation.writers == nullptr
               : allocation.read_unwritten == nullptr;
}

template <bool Store>
[[gnu::noinline]] void note_shaped(const Allocation& allocation, const AccessShape& shape, uint64_t first,
                                   uint32_t bytes) {
  if (shape.contiguous) return allocation.note<Store>(first, warp_lanes * bytes);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    allocation.note<Store>(first + shape.relative[lane], bytes);
}

// The relative addresses are unchanged, and all are in the allocation that the instruction used last.
template <class T, class R, bool Store>
[[gnu::noinline]] const Op* run_shaped_global(const Op* op, Warp& warp) {
  BlockContext& block = *warp.block;
  MemoryOpState& state = block.memory_ops[access_counter(*op)];
  AccessShape* const shape = state.shape.get();
  const Allocation* allocation = state.allocation;
  if (shape == nullptr || allocation == nullptr || !has_shape(op, warp, *shape))
    return run_and_learn<&access_global>(op, warp);
  const uint64_t first = first_address(op, warp);
  const Extent extent{first + shape->low, first + shape->high, 0};
  if (first % sizeof(T) != 0 || !inside(extent, sizeof(T), allocation->begin, allocation->end) ||
      !takes_the_short_path<Store>(*allocation))
    return run_and_learn<&access_global>(op, warp);
  state.shape.note_hit();
  if (!shape->contiguous) warp.steps -= scattered_steps;
  if (block.count_memory) {
    const AccessShape::Cost& cost = shape->cost_at(first);
    add_request(state, block, {cost.sectors, cost.sectors_ideal, cost.lines});
    warp.steps -= cost.steps;
  }
  if (block.global_recorder != nullptr)
    block.global_recorder->record_shaped(*op, warp.index, Space::global, access_kind(*op), *shape, first);
  if (Store ? allocation->notes_bytes() : allocation->touched != nullptr)
    note_shaped<Store>(*allocation, *shape, first, sizeof(T));
  move_shaped<T, R, Store>(op, warp, *shape, allocation->origin() + first);
  return op + 1;
}

// Shared memory: as above, within its single range.
template <class T, class R, bool Store>
const Op* run_shaped_shared(const Op* op, Warp& warp) {
  BlockContext& block = *warp.block;
  MemoryOpState& state = block.memory_ops[access_counter(*op)];
  AccessShape* const shape = state.shape.get();
  if (shape == nullptr || !has_shape(op, warp, *shape)) return run_and_learn<&access_shared>(op, warp);
  const uint64_t first = first_address(op, warp);
  const Extent extent{first + shape->low, first + shape->high, 0};
  if (first % sizeof(T) != 0 || !inside(extent, sizeof(T), 0, block.shared_bytes) ||
      (block.count_memory && (!state.shape_counted || first % 4 != state.shape_phase)))
    return run_and_learn<&access_shared>(op, warp);
  state.shape.note_hit();
  if (!shape->contiguous) warp.steps -= scattered_steps;
  if (block.count_memory) {
    ++state.requests;
    state.wavefronts += state.pattern_wavefronts;
    state.conflicts += state.pattern_conflicts;
  }
  if (block.shared_recorder != nullptr)
    block.shared_recorder->record_shaped(*op, warp.index, Space::shared, access_kind(*op), *shape, first);
  move_shaped<T, R, Store>(op, warp, *shape, reinterpret_cast<uintptr_t>(block.shared) + first);
  return op + 1;
}

// The usual case in one step: 32 contiguous lanes in the allocation that the instruction used last, and no
// observer. All other cases take a longer path.
template <class T, class R, bool Store>
const Op* run_side_by_side(const Op* op, Warp& warp) {
  BlockContext& block = *warp.block;
  MemoryOpState& state = block.memory_ops[access_counter(*op)];
  const Allocation* allocation = state.allocation;
  const uint64_t* base = warp.reg<uint64_t>(address_base(*op));
  const uint64_t first = base[0] + address_offset(*op);
  constexpr uint64_t bytes = warp_lanes * sizeof(T);
  constexpr uint16_t otherwise = flag_address32 | flag_constant | flag_short_space;
  const bool direct = allocation != nullptr && block.global_recorder == nullptr &&
                      (op->flags & otherwise) == 0 && first % sizeof(T) == 0 && first >= allocation->begin &&
                      first < allocation->end && allocation->end - first >= bytes &&
                      takes_the_short_path<Store>(*allocation) && is_contiguous(base, sizeof(T));
  if (!direct) return run_shaped_global<T, R, Store>(op, warp);
  if (block.count_memory) add_request(state, block, observe::sectors_of_row(first, sizeof(T)));
  const uint32_t slot = op->d;
  allocation->note<Store>(first, bytes);
  if (slot == no_slot) return op + 1;
  std::byte* at = allocation->at(first);
  R* lanes = warp.reg<R>(slot);
  T values[warp_lanes];
  if constexpr (Store) {
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) values[lane] = static_cast<T>(lanes[lane]);
    __builtin_memcpy(at, values, sizeof values);
  } else {
    __builtin_memcpy(values, at, sizeof values);
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) lanes[lane] = static_cast<R>(values[lane]);
  }
  return op + 1;
}

}  // namespace

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
