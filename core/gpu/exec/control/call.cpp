// Calls, returns, jump tables and the stack.
//
// Every function of a program has its own registers in the warp's frame, so lanes in different functions do
// not disturb each other, and a call only has to move its arguments. If a function can be entered again
// before it has returned (recursion), a call saves the caller's registers that are read after it, and a
// return restores them for the lanes that return. Local variables of such functions, and memory from alloca,
// are on a stack of each lane (PTX ISA 7.1 and 9.7.17).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/program/op/call_op.h"
#include "core/program/op/flow_op.h"
#include "core/program/program.h"

namespace warplens::exec {

namespace {

using program::CallSite;
using program::FunctionCode;
using program::SlotRange;

// The saved registers are packed, so a range that follows a predicate is not aligned to its type.
template <class T>
void blend(std::byte* to, const std::byte* from, uint32_t rows, uint32_t lanes) {
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const size_t at = (size_t{row} * warp_lanes + lane) * sizeof(T);
      T old, saved;
      std::memcpy(&old, to + at, sizeof(T));
      std::memcpy(&saved, from + at, sizeof(T));
      old = (lanes >> lane & 1u) != 0 ? saved : old;
      std::memcpy(to + at, &old, sizeof(T));
    }
  }
}

// Copies the lanes' part of a range. `from` and `to` point to the start of whole ranges.
void copy_lanes(const SlotRange& piece, std::byte* to, const std::byte* from, uint32_t lanes) {
  switch (piece.lane_bytes) {
    case 0: {  // predicates: one bit per lane
      uint32_t mask = 0, bits = 0;
      std::memcpy(&mask, to, sizeof mask);
      std::memcpy(&bits, from, sizeof bits);
      mask = (mask & ~lanes) | (bits & lanes);
      std::memcpy(to, &mask, sizeof mask);
      return;
    }
    case 2:
      return blend<uint16_t>(to, from, piece.rows, lanes);
    case 4:
      return blend<uint32_t>(to, from, piece.rows, lanes);
    case 16:
      return blend<std::array<uint64_t, 2>>(to, from, piece.rows, lanes);
    default:
      return blend<uint64_t>(to, from, piece.rows, lanes);
  }
}

size_t bytes_of(const std::vector<SlotRange>& pieces) {
  size_t sum = 0;
  for (const SlotRange& piece : pieces) sum += piece.bytes();
  return sum;
}

void save(const Warp& warp, const std::vector<SlotRange>& pieces, std::vector<std::byte>& room) {
  room.resize(bytes_of(pieces));
  std::byte* to = room.data();
  for (const SlotRange& piece : pieces) {
    std::memcpy(to, warp.frame + piece.slot, piece.bytes());
    to += piece.bytes();
  }
}

void restore(Warp& warp, const std::vector<SlotRange>& pieces, const std::vector<std::byte>& room,
             uint32_t lanes) {
  const std::byte* from = room.data();
  for (const SlotRange& piece : pieces) {
    if (piece.slot != no_slot) copy_lanes(piece, warp.frame + piece.slot, from, lanes);
    from += piece.bytes();
  }
}

void copy(Warp& warp, const std::vector<SlotRange>& from, const std::vector<SlotRange>& to, uint32_t lanes) {
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i].slot != no_slot) copy_lanes(to[i], warp.frame + to[i].slot, warp.frame + from[i].slot, lanes);
  }
}

bool fits(const std::vector<SlotRange>& a, const std::vector<SlotRange>& b) {
  return std::ranges::equal(a, b, [](const SlotRange& x, const SlotRange& y) {
    return x.lane_bytes == y.lane_bytes && x.rows == y.rows;
  });
}

const Op* fail(const Op* op, Warp& warp, FaultKind kind, uint32_t lane, uint64_t address,
               std::string detail = {}) {
  return raise(warp, {.kind = kind, .op = op, .lane = lane, .address = address, .detail = std::move(detail)});
}

int32_t take_frame(Warp& warp) {
  if (warp.free_frames.empty()) {
    warp.frames.emplace_back();
    return static_cast<int32_t>(warp.frames.size() - 1);
  }
  const int32_t index = warp.free_frames.back();
  warp.free_frames.pop_back();
  return index;
}

// Makes room on the stacks of the active lanes. False if one overflows; then the fault is raised.
bool grow_stack(const Op* op, Warp& warp, uint32_t lane, uint64_t end) {
  if (end > warp.block->local_bytes) {
    fail(op, warp, FaultKind::stack_overflow, lane, warp.joins.size());
    return false;
  }
  warp.stack[lane] = static_cast<uint32_t>(end);
  warp.stack_peak = std::max(warp.stack_peak, warp.stack[lane]);
  return true;
}

bool push_locals(const Op* op, Warp& warp, const FunctionCode& callee) {
  auto* base = warp.reg<uint64_t>(callee.base_slot);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t begin = (uint64_t{warp.stack[lane]} + 15) / 16 * 16;
    if (!grow_stack(op, warp, lane, begin + callee.stack_bytes + program::activation_bytes)) return false;
    base[lane] = begin;
  }
  return true;
}

const Op* enter(const Op* op, Warp& warp, const CallSite& site, uint32_t index) {
  const FunctionCode& callee = warp.block->program->functions[index];
  const int32_t frame = take_frame(warp);
  CallFrame& call = warp.frames[static_cast<size_t>(frame)];
  call.call = op;
  call.callee = index;
  if (callee.on_stack) call.stack = warp.stack;
  if (site.saved.empty()) {
    copy(warp, site.arguments, callee.parameters, warp.mask);
  } else {
    // The callee may overwrite the caller's registers, so all are read before any is written.
    save(warp, site.saved, call.saved);
    save(warp, site.arguments, warp.scratch);
    restore(warp, callee.parameters, warp.scratch, warp.mask);
  }
  if (callee.on_stack && !push_locals(op, warp, callee)) return nullptr;
  Path& path = warp.paths[warp.current];
  path.join = new_join(warp, op + 1, warp.mask, path.join);
  warp.joins[static_cast<size_t>(path.join)].call = frame;
  warp.join_op = nullptr;
  return warp.block->program->ops.data() + callee.entry_op;
}

// Makes one part for each different key of the active lanes.
template <class Key, class OpOf>
const Op* part_lanes(const Op* op, Warp& warp, uint32_t counter, Key key, OpOf op_of) {
  warp.fan.clear();
  for (uint32_t left = warp.mask; left != 0;) {
    const auto first = static_cast<uint32_t>(std::countr_zero(left));
    uint32_t same = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (key(lane) == key(first)) same |= 1u << lane;
    }
    warp.fan.push_back({op_of(first), same});
    left &= ~same;
  }
  if (warp.fan.size() == 1) return warp.fan[0].op;
  ++warp.block->block_divergences;
  ++warp.block->memory_ops[counter].requests;  // how often it diverged
  warp.next = op;
  warp.signal = Signal::fan;
  return nullptr;
}

uint64_t read_stack_operand(const StackOp& stack, const Warp& warp, uint32_t lane) {
  return stack.is_narrow ? warp.reg<uint32_t>(stack.operand)[lane] : warp.reg<uint64_t>(stack.operand)[lane];
}

void write_stack_result(const StackOp& stack, Warp& warp, uint32_t lane, uint64_t value) {
  if (stack.is_narrow) {
    warp.reg<uint32_t>(stack.result)[lane] = static_cast<uint32_t>(value);
  } else {
    warp.reg<uint64_t>(stack.result)[lane] = value;
  }
}

}  // namespace

const Op* run_call(const Op* op, Warp& warp) {
  const CallSite& site = warp.block->program->calls[CallOp::of(*op).site];
  return enter(op, warp, site, site.callee);
}

const Op* run_indirect_call(const Op* op, Warp& warp) {
  const program::Program& program = *warp.block->program;
  const IndirectCallOp call = IndirectCallOp::of(*op);
  const auto address = [&](uint32_t lane) {
    return call.is_narrow ? uint64_t{warp.reg<uint32_t>(call.address)[lane]}
                          : warp.reg<uint64_t>(call.address)[lane];
  };
  // Each group of lanes runs this op again on its own.
  if (part_lanes(op, warp, call.counter, address, [&](uint32_t) { return op; }) == nullptr) return nullptr;
  const auto first = static_cast<uint32_t>(std::countr_zero(warp.mask));
  const uint32_t index = program.function_at(address(first));
  if (index == program::no_function) return fail(op, warp, FaultKind::invalid_pc, first, address(first));
  const CallSite& site = program.calls[call.site];
  const FunctionCode& callee = program.functions[index];
  if (!fits(site.arguments, callee.parameters) || !fits(callee.returns, site.results)) {
    return fail(op, warp, FaultKind::invalid_pc, first, address(first), std::string(callee.function->name));
  }
  return enter(op, warp, site, index);
}

const Op* run_spill(const Op* op, Warp& warp) {
  const SpillOp spill = SpillOp::of(*op);
  const uint32_t local_bytes = warp.block->local_bytes;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t at = (spill.base == no_slot ? 0 : warp.reg<uint64_t>(spill.base)[lane]) + spill.offset;
    std::byte* to = warp.local + uint64_t{lane} * local_bytes + at;
    for (uint32_t word = 0; word < spill.rows; ++word)
      std::memcpy(to + 4 * word, warp.reg<uint32_t>(spill.first) + word * warp_lanes + lane, 4);
    for (uint64_t page = at / local_page_bytes; page * local_page_bytes < at + 4 * spill.rows; ++page)
      warp.local_writers[page] |= 1u << lane;
    if (warp.block->watch != nullptr)
      warp.block->watch->initialise(warp, lane, Space::local, at, 4 * spill.rows);
  }
  return op + 1;
}

const Op* run_meet(const Op* op, Warp& warp) {
  if (op != warp.join_op) return op + 1;
  warp.signal = Signal::arrive;
  return nullptr;
}

void finish_call(Warp& warp, int32_t frame, uint32_t lanes) {
  const program::Program& program = *warp.block->program;
  const CallFrame& call = warp.frames[static_cast<size_t>(frame)];
  const CallSite& site = program.calls[CallOp::of(*call.call).site];
  const FunctionCode& callee = program.functions[call.callee];
  if (site.saved.empty()) {
    copy(warp, callee.returns, site.results, lanes);
  } else {
    save(warp, callee.returns, warp.scratch);
    restore(warp, site.saved, call.saved, lanes);
    restore(warp, site.results, warp.scratch, lanes);
  }
  if (!callee.on_stack) return;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    warp.stack[lane] = call.stack[lane];
  }
}

const Op* run_ret(const Op*, Warp& warp) {
  Path& path = warp.paths[warp.current];
  const int32_t index = path.join;
  const Join& join = warp.joins[static_cast<size_t>(index)];
  // All lanes of the call return together, so the scheduler is not needed.
  if (join.call >= 0 && join.waiting == warp.mask && join.arrived == 0) {
    const Op* next = join.op;
    path.join = join.parent;
    finish_call(warp, join.call, warp.mask);
    remove_join(warp, index);
    const Join* outer = path.join >= 0 ? &warp.joins[static_cast<size_t>(path.join)] : nullptr;
    warp.join_op = outer != nullptr && outer->call < 0 ? outer->op : nullptr;
    return next;
  }
  warp.signal = Signal::come_back;
  return nullptr;
}

const Op* run_branch_table(const Op* op, Warp& warp) {
  const BranchTableOp branch = BranchTableOp::of(*op);
  const std::vector<uint32_t>& table = warp.block->program->branch_tables[branch.table];
  const uint32_t* indices = warp.reg<uint32_t>(branch.index);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (indices[lane] < table.size()) continue;
    return fail(op, warp, FaultKind::invalid_pc, lane, indices[lane], "the table of a brx.idx");
  }
  const Op* ops = warp.block->program->ops.data();
  return part_lanes(
      op, warp, branch.counter, [&](uint32_t lane) { return table[indices[lane]]; },
      [&](uint32_t lane) { return ops + table[indices[lane]]; });
}

// PTX ISA 9.7.17: each lane's stack grows separately. Addresses are offsets in local memory.
const Op* run_alloca(const Op* op, Warp& warp) {
  const StackOp stack = StackOp::of(*op);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t size = read_stack_operand(stack, warp, lane);
    const uint64_t begin = (warp.stack[lane] + stack.alignment - 1) / stack.alignment * stack.alignment;
    if (!grow_stack(op, warp, lane, begin + std::min<uint64_t>(size, UINT32_MAX))) return nullptr;
    write_stack_result(stack, warp, lane, begin);
  }
  return op + 1;
}

const Op* run_stack_save(const Op* op, Warp& warp) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    write_stack_result(StackOp::of(*op), warp, lane, warp.stack[lane]);
  }
  return op + 1;
}

const Op* run_stack_restore(const Op* op, Warp& warp) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (!grow_stack(op, warp, lane, read_stack_operand(StackOp::of(*op), warp, lane))) return nullptr;
  }
  return op + 1;
}

}  // namespace warplens::exec
