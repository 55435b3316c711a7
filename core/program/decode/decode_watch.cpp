// Additional ops of a program that is watched (core/gpu/exec/state/watch.h): in front of what may go wrong,
// and behind what a watch has to know of. A program that nobody watches has none of them.
#include <algorithm>

#include "core/program/decode/decoder.h"
#include "core/program/flow/liveness.h"
#include "core/program/op/collective_op.h"

namespace warplens::program {

namespace {

// A function with more registers than this that may all be undefined is one that liveness gave up on.
constexpr size_t max_watched_registers = 4096;

Op watch_op(const OpsTable& table, WatchJob job) {
  return {.handlers = table.both(Routine::watch), .bytes = static_cast<uint8_t>(job)};
}

bool is_integer_division(const Instruction& instruction, const Selector& s) {
  return (instruction.opcode == Opcode::div || instruction.opcode == Opcode::rem) && !ptx::is_float(s.type);
}

}  // namespace

// What only moves a value on hands on whether there is one: compilers copy what nobody uses.
bool Decoder::is_copy(const Instruction& instruction) const {
  return instruction.opcode == Opcode::mov && !instruction.guarded;
}

// Registers that some path reads before it writes them, and those that take over their values.
void Decoder::find_watched_registers() {
  m_watched.assign(m_function.registers.size(), no_slot);
  if (m_program.watching != Watching::all || m_graph.is_recursive(m_place)) return;
  std::vector<uint32_t> found = maybe_uninitialised(m_function, live_at_start());
  if (found.size() > max_watched_registers) return;
  // What a call passes is written before the function is entered.
  const auto passed = static_cast<uint32_t>(
      m_function.is_entry ? 0 : std::ranges::count_if(m_function.parameters, [](const ptx::Variable& v) {
                                  return v.space == ptx::StateSpace::reg;
                                }) + std::ranges::count_if(m_function.returns, [](const ptx::Variable& v) {
                                  return v.space == ptx::StateSpace::reg;
                                }));
  std::erase_if(found, [&](uint32_t r) { return r < passed; });
  const auto watch = [&](uint32_t r) {
    m_watched[r] = m_frame.lanes(32);
    m_program.cleared.emplace_back(m_watched[r], 4);
  };
  for (const uint32_t r : found) watch(r);
  for (bool more = !found.empty(); more;) {
    more = false;
    for (const Instruction& instruction : m_function.instructions) {
      if (!is_copy(instruction)) continue;
      const Uses uses = uses_of(m_function, instruction);
      const bool from = std::ranges::any_of(uses.reads, [&](uint32_t r) { return m_watched[r] != no_slot; });
      for (const uint32_t r : uses.writes) {
        if (!from || m_watched[r] != no_slot) continue;
        watch(r);
        more = true;
      }
    }
  }
}

void Decoder::watch_divisor(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
  if (!is_integer_division(instruction, s) || operands.size() < 3) return;
  if (operands[2].kind == OperandKind::immediate && operands[2].bits != 0) return;
  const uint32_t bits = register_bits(s.type);
  Op op = watch_op(m_table, WatchJob::divisor);
  op.a = source(operands[2], bits);
  op.extra = static_cast<uint8_t>(bits / 8);
  if (op.a == no_slot) return;
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

void Decoder::watch_read(uint32_t index, uint32_t r) {
  Op op = watch_op(m_table, WatchJob::register_read);
  op.a = m_watched[r];
  op.state = m_place;
  op.immediate = r;
  append(index, op);
}

void Decoder::watch_before(uint32_t index, const Instruction& instruction) {
  if (m_program.watching == Watching::nothing) return;
  watch_divisor(index, instruction);
  if (m_program.watching != Watching::all) return;
  if (instruction.guarded && m_watched[instruction.guard] != no_slot) watch_read(index, instruction.guard);
  if (is_copy(instruction)) return;
  Instruction plain = instruction;
  plain.guarded = false;  // a guarded write reads nothing
  const Uses uses = uses_of(m_function, plain);
  const auto is_watched = [&](uint32_t r) { return m_watched[r] != no_slot; };
  if (std::ranges::none_of(uses.reads, is_watched)) return;
  const size_t guard = begin_guard(index, instruction);
  for (const uint32_t r : uses.reads) {
    if (is_watched(r)) watch_read(index, r);
  }
  finish_guard(guard);
}

void Decoder::watch_write(uint32_t index, const Instruction& instruction, uint32_t r) {
  Op op = watch_op(m_table, WatchJob::register_write);
  op.d = m_watched[r];
  if (is_copy(instruction)) {
    // A vector is defined where its first watched part is.
    for (const uint32_t from : uses_of(m_function, instruction).reads) {
      if (m_watched[from] == no_slot) continue;
      op.bytes = static_cast<uint8_t>(WatchJob::register_copy);
      op.a = m_watched[from];
      break;
    }
  }
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

void Decoder::watch_after(uint32_t index, const Instruction& instruction) {
  if (m_program.watching != Watching::all) return;
  const auto modifiers = m_function.modifiers_of(instruction);
  if (instruction.opcode == Opcode::membar || instruction.opcode == Opcode::fence) {
    Op op = watch_op(m_table, WatchJob::fence);
    op.extra = has(modifiers, Modifier::cta) ? 0 : 1;
    const size_t guard = begin_guard(index, instruction);
    append(index, op);
    finish_guard(guard);
  }
  for (const uint32_t r : uses_of(m_function, instruction).writes) {
    if (m_watched[r] != no_slot) watch_write(index, instruction, r);
  }
}

// A copy of the collective's op, so that a watch can see its mask and where a shuffle reads.
void Decoder::watch_collective(uint32_t index, const Op& op, WatchJob job) {
  if (m_program.watching != Watching::all) return;
  const bool is_sync = (op.flags & flag_constant) == 0 || op.immediate != 0;
  if (!is_sync) return;
  Op copy = op;
  copy.handlers = m_table.both(Routine::watch);
  copy.bytes = static_cast<uint8_t>(job);
  append(index, copy);
}

}  // namespace warplens::program
