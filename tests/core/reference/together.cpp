// Instructions of the reference interpreter in which threads work together. They run when all named threads
// that have not exited wait at one of the same kind with the same mask (PTX ISA 9.7.9.6, 9.7.13).
#include <algorithm>
#include <bit>

#include "tests/core/reference/arithmetic.h"
#include "tests/core/reference/machine.h"

namespace warplens::reference {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

constexpr uint32_t lanes = 32;

struct Warp {
  Block* block = nullptr;
  Thread* lane[lanes] = {};  // null: exited, or does not exist
};

std::span<const Operand> operands_of(const Thread& thread) {
  return thread.frame().function->operands_of(thread.frame().instruction());
}
uint64_t value_of(const Warp& warp, uint32_t lane, size_t operand) {
  const Thread& thread = *warp.lane[lane];
  return read(*warp.block, thread, thread.frame().instruction(), operands_of(thread)[operand]);
}
bool has(const Thread& thread, Modifier wanted) {
  return reference::has(thread.frame(), thread.frame().instruction(), wanted);
}

bool is_block_barrier(const Thread& thread) {
  const Opcode opcode = thread.frame().instruction().opcode;
  return (opcode == Opcode::bar || opcode == Opcode::barrier) && !has(thread, Modifier::warp);
}

// The mask is the last operand of a warp's instruction.
uint32_t mask_of(const Warp& warp, uint32_t lane) {
  return static_cast<uint32_t>(value_of(warp, lane, operands_of(*warp.lane[lane]).size() - 1));
}

bool same_kind(const Thread& a, const Thread& b) {
  const auto of_a = a.frame().function->modifiers_of(a.frame().instruction());
  const auto of_b = b.frame().function->modifiers_of(b.frame().instruction());
  return a.frame().instruction().opcode == b.frame().instruction().opcode && std::ranges::equal(of_a, of_b);
}

struct Answer {
  uint64_t value = 0;
  bool predicate = false;  // shfl, match.all: the second result
};

bool takes_part(const Warp& warp, uint32_t mask, uint32_t lane) {
  return lane < lanes && (mask >> lane & 1) != 0 && warp.lane[lane] != nullptr;
}

// PTX ISA 9.7.9.6.
Answer shuffled(const Warp& warp, uint32_t mask, uint32_t lane) {
  const Thread& thread = *warp.lane[lane];
  const auto b = static_cast<uint32_t>(value_of(warp, lane, 2)) & 31;
  const auto c = static_cast<uint32_t>(value_of(warp, lane, 3));
  const uint32_t segment = c >> 8 & 31, clamp = c & 31;
  const uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
  uint32_t from = 0;
  bool inside = false;
  if (has(thread, Modifier::up)) {
    from = lane - b;
    inside = static_cast<int32_t>(from) >= static_cast<int32_t>(last);
  } else if (has(thread, Modifier::down)) {
    from = lane + b;
    inside = from <= last;
  } else if (has(thread, Modifier::bfly)) {
    from = lane ^ b;
    inside = from <= last;
  } else {
    from = first | (b & ~segment);
    inside = from <= last;
  }
  if (!inside) from = lane;
  if (takes_part(warp, mask, from)) return {value_of(warp, from, 1), inside};
  warp.block->read_absent_lane = true;
  return {0, inside};
}

Answer voted(const Warp& warp, uint32_t mask, uint32_t lane) {
  uint32_t ballot = 0, members = 0;
  for (uint32_t other = 0; other < lanes; ++other) {
    if (!takes_part(warp, mask, other)) continue;
    members |= 1u << other;
    if (value_of(warp, other, 1) != 0) ballot |= 1u << other;
  }
  const Thread& thread = *warp.lane[lane];
  if (has(thread, Modifier::ballot)) return {ballot};
  if (has(thread, Modifier::all)) return {ballot == members};
  if (has(thread, Modifier::any)) return {ballot != 0};
  return {ballot == members || ballot == 0};  // uni
}

Answer matched(const Warp& warp, uint32_t mask, uint32_t lane) {
  const Modifier type = type_of(warp.lane[lane]->frame(), warp.lane[lane]->frame().instruction());
  uint32_t equal = 0, members = 0;
  for (uint32_t other = 0; other < lanes; ++other) {
    if (!takes_part(warp, mask, other)) continue;
    members |= 1u << other;
    if (number_of(value_of(warp, other, 1), type) == number_of(value_of(warp, lane, 1), type))
      equal |= 1u << other;
  }
  if (has(*warp.lane[lane], Modifier::any)) return {equal};
  return {equal == members ? members : 0, equal == members};
}

Answer reduced(const Warp& warp, uint32_t mask, uint32_t lane) {
  const Thread& thread = *warp.lane[lane];
  const Instruction& at = thread.frame().instruction();
  std::optional<uint64_t> sum;
  for (uint32_t other = 0; other < lanes; ++other) {
    if (!takes_part(warp, mask, other)) continue;
    const uint64_t value = low_bits(value_of(warp, other, 1), 32);
    std::optional<uint64_t> next = sum ? std::nullopt : std::optional(value);
    for (const Modifier m : thread.frame().function->modifiers_of(at))
      if (!next) next = combine(m, type_of(thread.frame(), at), *sum, value);
    if (!next) stop(End::not_covered, at, "this reduction");
    sum = next;
  }
  return {sum.value_or(0)};
}

Answer answer_of(const Warp& warp, uint32_t mask, uint32_t lane) {
  switch (warp.lane[lane]->frame().instruction().opcode) {
    case Opcode::shfl:
      return shuffled(warp, mask, lane);
    case Opcode::vote:
      return voted(warp, mask, lane);
    case Opcode::match:
      return matched(warp, mask, lane);
    case Opcode::redux:
      return reduced(warp, mask, lane);
    default:
      return {};  // bar.warp.sync
  }
}

void give(Thread& thread, const Answer& answer) {
  const Instruction& at = thread.frame().instruction();
  const Operand& result = thread.frame().function->operands_of(at)[0];
  if (result.kind == ptx::OperandKind::pair) {
    const auto both = thread.frame().function->children_of(result);
    write(thread, at, both[0], answer.value);
    write(thread, at, both[1], answer.predicate ? 1 : 0);
  } else if (at.opcode != Opcode::bar) {
    write(thread, at, result, answer.value);
  }
}

void go_on(Thread& thread) {
  thread.waits = false;
  ++thread.frame().next;
}

// Lets the lane and the other lanes of its group continue, if all of them have arrived.
bool release_lanes(const Warp& warp, uint32_t lane) {
  const uint32_t mask = mask_of(warp, lane);
  if ((mask >> lane & 1) == 0)
    stop(End::fault, warp.lane[lane]->frame().instruction(), "a mask without the thread's own lane");
  for (uint32_t other = 0; other < lanes; ++other) {
    if (!takes_part(warp, mask, other)) continue;
    const Thread& thread = *warp.lane[other];
    if (!thread.waits || is_block_barrier(thread) || !same_kind(thread, *warp.lane[lane]) ||
        mask_of(warp, other) != mask)
      return false;
  }
  Answer answers[lanes];
  for (uint32_t other = 0; other < lanes; ++other)
    if (takes_part(warp, mask, other)) answers[other] = answer_of(warp, mask, other);
  for (uint32_t other = 0; other < lanes; ++other) {
    if (!takes_part(warp, mask, other)) continue;
    give(*warp.lane[other], answers[other]);
    go_on(*warp.lane[other]);
  }
  return true;
}

bool release_warps(Block& block) {
  bool any = false;
  for (size_t from = 0; from < block.threads.size(); from += lanes) {
    Warp warp{&block, {}};
    for (size_t lane = 0; lane < lanes && from + lane < block.threads.size(); ++lane)
      if (!block.threads[from + lane].exited()) warp.lane[lane] = &block.threads[from + lane];
    for (uint32_t lane = 0; lane < lanes; ++lane)
      if (warp.lane[lane] != nullptr && warp.lane[lane]->waits && !is_block_barrier(*warp.lane[lane]))
        any |= release_lanes(warp, lane);
  }
  return any;
}

// bar.red: popc, and, or over the block's threads.
void give_reduction(Block& block, const std::vector<Thread*>& all) {
  uint64_t count = 0;
  for (const Thread* thread : all)
    count += read(block, *thread, thread->frame().instruction(), operands_of(*thread)[2]) != 0;
  for (Thread* thread : all) {
    const uint64_t value = has(*thread, Modifier::popc)   ? count
                           : has(*thread, Modifier::and_) ? count == all.size()
                                                          : count != 0;
    write(*thread, thread->frame().instruction(), operands_of(*thread)[0], value);
  }
}

// One barrier at which every thread of the block waits.
bool release_barrier(Block& block) {
  std::vector<Thread*> all;
  std::optional<uint64_t> number;
  bool reduces = false;
  for (Thread& thread : block.threads) {
    if (thread.exited()) continue;
    if (!thread.waits || !is_block_barrier(thread)) return false;
    const Instruction& at = thread.frame().instruction();
    const bool red = has(thread, Modifier::red);
    const auto operands = operands_of(thread);
    if (has(thread, Modifier::arrive) || operands.size() != (red ? 3u : 1u))
      stop(End::not_covered, at, "a barrier of some threads");
    const uint64_t this_one = read(block, thread, at, operands[red ? 1 : 0]);
    if (number && *number != this_one) return false;
    if (!all.empty() && red != reduces) stop(End::not_covered, at, "a barrier with and without a reduction");
    number = this_one;
    reduces = red;
    all.push_back(&thread);
  }
  if (all.empty()) return false;
  if (reduces) give_reduction(block, all);
  for (Thread* thread : all) go_on(*thread);
  return true;
}

}  // namespace

bool is_together(Opcode opcode) {
  return opcode == Opcode::shfl || opcode == Opcode::vote || opcode == Opcode::match ||
         opcode == Opcode::redux || opcode == Opcode::bar || opcode == Opcode::barrier;
}

bool release(Block& block) {
  const bool warps = release_warps(block);
  return release_barrier(block) || warps;
}

}  // namespace warplens::reference
