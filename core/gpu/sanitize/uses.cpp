// Finds out whether an undefined value has an effect. Compilers compute with values that a selection or a
// guard then discards, and programmers write `if (there is one) sum += other`. Neither is a mistake. So the
// value is followed through the arithmetic of its basic block, up to the first use that cannot discard it.
#include <algorithm>
#include <set>

#include "core/gpu/sanitize/places.h"
#include "core/program/flow/cfg.h"
#include "core/program/flow/liveness.h"

namespace warplens::sanitize {

namespace {

using ptx::Opcode;

// Whether a value can only have an effect on the instruction's result.
bool hands_on(Opcode opcode) {
  return program::only_computes(opcode) || opcode == Opcode::shfl || opcode == Opcode::setp;
}

}  // namespace

bool may_discard(const ptx::Function& function, const ptx::Instruction& instruction) {
  using ptx::Modifier;
  const auto modifiers = function.modifiers_of(instruction);
  const auto has = [&](Modifier wanted) { return std::ranges::find(modifiers, wanted) != modifiers.end(); };
  if (instruction.opcode == Opcode::setp) return has(Modifier::and_) || has(Modifier::or_);
  return (instruction.opcode == Opcode::and_ || instruction.opcode == Opcode::or_) && has(Modifier::pred);
}

namespace {

class Trail {
 public:
  Trail(const ptx::Function& function, std::set<uint32_t> undefined)
      : m_function(function), m_undefined(std::move(undefined)), m_first(m_undefined) {}

  // Returns true if the value has an effect here.
  bool follow(const ptx::Instruction& instruction) {
    if (instruction.guarded && m_undefined.contains(instruction.guard)) return true;
    ptx::Instruction plain = instruction;
    plain.guarded = false;
    const program::Uses uses = program::uses_of(m_function, plain);
    const bool reads = std::ranges::any_of(uses.reads, [&](uint32_t r) { return m_undefined.contains(r); });
    if (instruction.guarded) return false;
    if (reads && instruction.opcode == Opcode::selp) {
      const auto operands = m_function.operands_of(instruction);
      if (operands.size() > 3 && m_undefined.contains(operands[3].index)) return true;
    } else if (reads && may_discard(m_function, instruction)) {
      // as i < n && a[i] > 0, with both sides computed
    } else if (reads && hands_on(instruction.opcode)) {
      m_undefined.insert(uses.writes.begin(), uses.writes.end());
      return false;
    } else if (reads) {
      return true;
    }
    for (const uint32_t r : uses.writes) m_undefined.erase(r);
    return false;
  }

  // Whether a value that was computed from it is read after the basic block. A read of the undefined value
  // itself does not count, since it depends on the branch.
  bool goes_on(const std::vector<uint64_t>& live) const {
    return std::ranges::any_of(
        m_undefined, [&](uint32_t r) { return !m_first.contains(r) && (live[r / 64] >> (r % 64) & 1) != 0; });
  }

 private:
  const ptx::Function& m_function;
  std::set<uint32_t> m_undefined, m_first;
};

// `place` is where the undefined value is found; `from` is the first instruction that may read it.
bool reaches(const ptx::Function& function, uint32_t place, uint32_t from, std::set<uint32_t> undefined) {
  const program::ControlFlow flow = program::control_flow_of(function);
  const program::BasicBlock& block = flow.blocks[flow.block_of[place]];
  Trail trail(function, std::move(undefined));
  for (uint32_t i = from; i < block.first + block.count; ++i) {
    if (trail.follow(function.instructions[i])) return true;
  }
  const auto live = program::live_at_starts(function, flow);
  return std::ranges::any_of(block.successors,
                             [&](uint32_t next) { return live.empty() || trail.goes_on(live[next]); });
}

}  // namespace

bool Places::uses(uint32_t instruction, uint32_t r) const {
  const auto [at, is_new] = m_uses.try_emplace({instruction, r}, false);
  if (is_new) {
    const program::FunctionCode& code = m_program.code_of(instruction);
    const uint32_t index = instruction - code.first_instruction;
    at->second = reaches(*code.function, index, index, {r});
  }
  return at->second;
}

bool Places::uses_result(uint32_t instruction) const {
  const auto [at, is_new] = m_uses.try_emplace({instruction, UINT32_MAX}, false);
  if (is_new) {
    const program::FunctionCode& code = m_program.code_of(instruction);
    const uint32_t index = instruction - code.first_instruction;
    const program::Uses uses = program::uses_of(*code.function, code.function->instructions[index]);
    at->second = reaches(*code.function, index, index + 1, {uses.writes.begin(), uses.writes.end()});
  }
  return at->second;
}

}  // namespace warplens::sanitize
