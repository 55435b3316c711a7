#include "core/gpu/exec/jit/runtime/learn.h"
#include "core/gpu/exec/state/counters.h"

#include <array>
#include <bit>
#include <exception>

#include "core/gpu/exec/jit/runtime/observers.h"
#include "core/program/op/memory_op.h"
#include "core/program/program.h"

namespace warplens::exec::jit {

const Op* run_and_catch(const Op* op, Warp& warp, Handler handler) noexcept {
  try {
    return handler(op, warp);
  } catch (...) {
    warp.block->thrown = std::current_exception();
    return nullptr;
  }
}

namespace {

// Where compiled code may go on by itself: not in memory that a kernel can free.
void note_reach(const Op& op, const BlockContext& block, MemoryOpState& state, bool global) {
  const AccessShape* const shape = state.shape.get();
  const Allocation* const allocation = state.allocation;
  if (shape == nullptr) return;
  const bool narrow = program::has_narrow_address(op) && !program::is_in_short_space(op);
  Reach reach;
  Bounds bounds;
  if (!global) {
    reach = Reach::of(*shape, 0, block.shared_bytes, narrow, program::address_offset(op));
    bounds = {0, block.shared_bytes};
  } else if (allocation != nullptr && allocation->begin < program::kernel_heap_base &&
             !allocation->notes_loads() &&
             !(program::writes_memory(op) &&
               (allocation->read_only || allocation->notes_stores_in_detail()))) {
    reach = Reach::of(*shape, allocation->begin, allocation->end, narrow, program::address_offset(op));
    reach.origin = allocation->origin();
    if (program::writes_memory(op) && allocation->stored != nullptr)
      reach.note =
          reinterpret_cast<intptr_t>(allocation->stored) - reinterpret_cast<intptr_t>(allocation->host);
    bounds = {allocation->begin, allocation->end - allocation->begin};
  }
  state.shape.set_reach(reach, bounds);
}

void gather(const Op& op, const Warp& warp, std::array<uint64_t, warp_lanes>& addresses) {
  const auto add = [&](const auto* base) {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = program::address_at(op, base[lane]);
  };
  if (program::has_known_address(op)) {
    addresses.fill(program::address_offset(op));
  } else if (program::has_narrow_address(op)) {
    add(warp.reg<uint32_t>(program::address_base(op)));
  } else {
    add(warp.reg<uint64_t>(program::address_base(op)));
  }
}

// By the first and the last lane, neither as the shape says nor side by side. Accesses that lie otherwise
// each time are not worth a look at all lanes.
bool lies_otherwise(const Op& op, const Warp& warp, const AccessShape& shape) {
  if (program::has_known_address(op)) return false;
  constexpr uint32_t last = warp_lanes - 1;
  if (program::has_narrow_address(op)) {
    const auto* const base = warp.reg<uint32_t>(program::address_base(op));
    const uint32_t far = base[last] - base[0];
    return far != shape.narrow[last] && far != last * op.bytes;
  }
  const auto* const base = warp.reg<uint64_t>(program::address_base(op));
  const uint64_t far = base[last] - base[0];
  return far != shape.relative[last] && far != last * op.bytes;
}

// By the first and the last active lane.
bool part_lies_otherwise(const Op& op, const Warp& warp, const AccessShape& shape) {
  if (program::has_known_address(op)) return false;
  const auto first = static_cast<uint32_t>(std::countr_zero(warp.mask)),
             last = warp_lanes - 1 - static_cast<uint32_t>(std::countl_zero(warp.mask));
  if (program::has_narrow_address(op)) {
    const auto* const base = warp.reg<uint32_t>(program::address_base(op));
    return base[last] - base[first] != shape.narrow[last] - shape.narrow[first];
  }
  const auto* const base = warp.reg<uint64_t>(program::address_base(op));
  return base[last] - base[first] != shape.relative[last] - shape.relative[first];
}

}  // namespace

const Op* run_and_learn_shape(const Op* op, Warp& warp) {
  BlockContext& block = *warp.block;
  MemoryOpState& state = block.memory_ops[program::access_counter(*op)];
  AccessShape* const before = state.shape.get();
  const bool global = block.program->counted[program::access_counter(*op)].space != Space::shared;
  // Accesses to such an array leave notes, which compiled code does not: there is nothing to learn.
  if (before != nullptr && global && state.allocation != nullptr &&
      (program::writes_memory(*op) ? state.allocation->notes_stores_in_detail()
                                   : state.allocation->touched != nullptr))
    return op->handlers.run[all_lanes](op, warp);
  if (before != nullptr && lies_otherwise(*op, warp, *before)) {
    // The handler sees that too, and learns when it is time to.
    const Op* const next = op->handlers.run[all_lanes](op, warp);
    if (next != nullptr && state.shape.get() != before) note_reach(*op, block, state, global);
    return next;
  }
  std::array<uint64_t, warp_lanes> addresses{};
  gather(*op, warp, addresses);
  const Op* const next = op->handlers.run[all_lanes](op, warp);
  if (next == nullptr || block.shapes == nullptr) return next;
  // That of shared memory learns by itself, also where its lanes lie side by side.
  if (global) {
    AccessShape* const known = state.shape.get();
    if (known == nullptr || !known->is_of(addresses.data())) {
      state.shape.learn(*block.shapes, addresses.data(), op->bytes);
    } else if (block.count_memory) {
      known->cost_at(addresses[0]);
    }
  }
  note_reach(*op, block, state, global);
  return next;
}

namespace {

const Op* learn_part(const Op* op, Warp& warp, bool have_all_lanes) {
  BlockContext& block = *warp.block;
  MemoryOpState& state = block.memory_ops[program::access_counter(*op)];
  const uint32_t mask = warp.mask;
  if (const AccessShape* const before = state.shape.get();
      before != nullptr && part_lies_otherwise(*op, warp, *before) && state.shape.lets_pass())
    return op->handlers.run[some_lanes](op, warp);
  std::array<uint64_t, warp_lanes> addresses{};
  gather(*op, warp, addresses);
  const Op* const next = op->handlers.run[some_lanes](op, warp);
  if (next == nullptr || block.shapes == nullptr) return next;
  const AccessShape* known = state.shape.get();
  if (known == nullptr ||
      !(have_all_lanes ? known->is_of(addresses.data()) : known->is_of(addresses.data(), mask))) {
    const auto rows = rows_of_warps(block.block_extent);
    const bool is_learnt = have_all_lanes
                               ? state.shape.learn(*block.shapes, addresses.data(), op->bytes)
                               : state.shape.learn_part(*block.shapes, addresses.data(), mask, op->bytes,
                                                        rows ? rows->lanes : warp_lanes);
    if (!is_learnt) return next;
    state.shape_counted = false;
  }
  const bool global = block.program->counted[program::access_counter(*op)].space != Space::shared;
  const AccessShape::PartKind kind = kind_of_part(block.count_memory, !global, program::writes_memory(*op));
  state.shape.get()->keep_part(kind, mask, addresses[static_cast<uint32_t>(std::countr_zero(mask))]);
  note_reach(*op, block, state, global);
  return next;
}

}  // namespace

const Op* run_and_learn_part(const Op* op, Warp& warp) { return learn_part(op, warp, false); }

const Op* run_and_learn_part_of_row(const Op* op, Warp& warp) {
  write_lanes(warp);
  return learn_part(op, warp, true);
}

const Op* run_and_learn_part_of_lanes(const Op* op, Warp& warp) {
  write_lanes(warp);
  return learn_part(op, warp, false);
}

}  // namespace warplens::exec::jit
