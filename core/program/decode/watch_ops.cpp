#include "core/program/decode/watch_ops.h"

#include <algorithm>

#include "core/program/flow/liveness.h"
#include "core/program/flow/undefined.h"
#include "core/program/op/collective_op.h"

namespace warplens::program {

namespace {

// If more registers of a function than this may be undefined, liveness has given up on it.
constexpr size_t max_watched_registers = 4096;

// `watched`: one of the structs of watch_op.h.
template <class Watched>
Op watch_op(const Emitter& emitter, const Watched& watched) {
  Op op{.handlers = emitter.routine(Routine::watch)};
  watched.write(op);
  return op;
}

bool is_integer_division(const Instruction& instruction, const Selector& s) {
  return (instruction.opcode == Opcode::div || instruction.opcode == Opcode::rem) && !ptx::is_float(s.type);
}

// Compilers copy values that are not used, so a copy is no use.
bool is_copy(const Instruction& instruction) {
  return instruction.opcode == Opcode::mov && !instruction.guarded;
}

// The function's first registers are those that a call passes.
uint32_t passed_registers(const ptx::Function& function) {
  if (function.is_entry) return 0;
  const auto in_register = [](const ptx::Variable& v) { return v.space == ptx::StateSpace::reg; };
  return static_cast<uint32_t>(std::ranges::count_if(function.parameters, in_register) +
                               std::ranges::count_if(function.returns, in_register));
}

}  // namespace

WatchOps::WatchOps(Emitter& emitter) : m_emitter(emitter) {
  m_written.assign(emitter.function().registers.size(), no_slot);
  if (emitter.program().watching == Watching::all && !emitter.graph().is_recursive(emitter.place()))
    find_registers();
}

// Registers that some path reads before it writes them, and those that are computed from them.
void WatchOps::find_registers() {
  const ptx::Function& function = m_emitter.function();
  std::vector<uint32_t> found = maybe_uninitialised(function, m_emitter.live_at_start());
  if (found.size() > max_watched_registers) return;
  // Values that a call passes are written before the function is entered.
  std::erase_if(found, [&](uint32_t r) { return r < passed_registers(function); });
  const auto watch = [&](uint32_t r) {
    m_written[r] = m_emitter.lanes(32);
    m_emitter.program().cleared.emplace_back(m_written[r], 4);
  };
  for (const uint32_t r : found) watch(r);
  size_t watched = found.size();
  for (bool more = !found.empty(); more && watched <= max_watched_registers;) {
    more = false;
    for (const Instruction& instruction : function.instructions) {
      if (sources_of(instruction).empty()) continue;
      for (const uint32_t r : uses_of(function, instruction).writes) {
        if (is_watched(r)) continue;
        watch(r);
        ++watched;
        more = true;
      }
    }
  }
}

// The watched registers whose lanes without a value have none in the result either.
std::vector<uint32_t> WatchOps::sources_of(const Instruction& instruction) const {
  Instruction plain = instruction;
  plain.guarded = false;  // a guarded write reads nothing
  std::vector<uint32_t> sources = uses_of(m_emitter.function(), plain).reads;
  std::erase_if(sources, [&](uint32_t r) {
    return !is_watched(r) || use_of_undefined(m_emitter.function(), plain, r) != UndefinedUse::passed_on;
  });
  return sources;
}

void WatchOps::watch_divisor(uint32_t index, const Instruction& instruction) {
  const auto operands = m_emitter.operands(instruction);
  const Selector s = selector_of(instruction, m_emitter.modifiers(instruction));
  if (!is_integer_division(instruction, s) || operands.size() < 3) return;
  if (operands[2].kind == OperandKind::immediate && operands[2].bits != 0) return;
  const uint32_t bits = register_bits(s.type);
  const WatchedDivisor divisor{.slot = m_emitter.source(operands[2], bits),
                               .bytes = static_cast<uint8_t>(bits / 8)};
  if (divisor.slot != no_slot) m_emitter.append_guarded(index, instruction, watch_op(m_emitter, divisor));
}

void WatchOps::watch_read(uint32_t index, uint32_t r) {
  const WatchedRead read{.written = m_written[r], .function = m_emitter.place(), .reg = r};
  m_emitter.append(index, watch_op(m_emitter, read));
}

void WatchOps::before(uint32_t index, const Instruction& instruction) {
  const Watching watching = m_emitter.program().watching;
  if (watching == Watching::nothing) return;
  watch_divisor(index, instruction);
  if (watching != Watching::all) return;
  if (instruction.guarded && is_watched(instruction.guard)) watch_read(index, instruction.guard);
  if (is_copy(instruction)) return;
  Instruction plain = instruction;
  plain.guarded = false;  // a guarded write reads nothing
  const Uses uses = uses_of(m_emitter.function(), plain);
  if (std::ranges::none_of(uses.reads, [&](uint32_t r) { return is_watched(r); })) return;
  const size_t guard = m_emitter.begin_guard(index, instruction);
  for (const uint32_t r : uses.reads) {
    if (is_watched(r)) watch_read(index, r);
  }
  m_emitter.finish_guard(guard);
}

void WatchOps::watch_write(uint32_t index, const Instruction& instruction, uint32_t r) {
  std::vector<uint32_t> sources = sources_of(instruction);
  // A vector counts as defined where its first watched part is.
  if (is_copy(instruction) && sources.size() > 1) sources.resize(1);
  const bool grows = std::ranges::find(sources, r) != sources.end();  // as in a += b
  bool first = !grows;
  const size_t guard = m_emitter.begin_guard(index, instruction);
  if (sources.empty()) m_emitter.append(index, watch_op(m_emitter, WatchedWrite{.written = m_written[r]}));
  for (const uint32_t from : sources) {
    if (from == r) continue;
    m_emitter.append(
        index,
        watch_op(m_emitter, WatchedWrite{.written = m_written[r], .from = m_written[from], .also = !first}));
    first = false;
  }
  m_emitter.finish_guard(guard);
}

void WatchOps::after(uint32_t index, const Instruction& instruction) {
  if (m_emitter.program().watching != Watching::all) return;
  if (instruction.opcode == Opcode::membar || instruction.opcode == Opcode::fence) {
    const WatchedFence fence{.for_device = !has(m_emitter.modifiers(instruction), Modifier::cta)};
    m_emitter.append_guarded(index, instruction, watch_op(m_emitter, fence));
  }
  for (const uint32_t r : uses_of(m_emitter.function(), instruction).writes) {
    if (is_watched(r)) watch_write(index, instruction, r);
  }
}

void watch_collective(Emitter& emitter, uint32_t index, const Op& op, WatchJob job) {
  if (emitter.program().watching != Watching::all) return;
  if (!CollectiveOp::of(op).waits()) return;
  Op copy = op;
  copy.handlers = emitter.routine(Routine::watch);
  set_watch_job(copy, job);
  emitter.append(index, copy);
}

}  // namespace warplens::program
