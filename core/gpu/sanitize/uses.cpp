// Finds out whether the result of an instruction has an effect: it is followed through the arithmetic of its
// basic block, up to the first use that cannot discard it.
#include <algorithm>
#include <set>

#include "core/gpu/sanitize/places.h"
#include "core/program/flow/cfg.h"
#include "core/program/flow/liveness.h"
#include "core/program/flow/undefined.h"

namespace warplens::sanitize {

namespace {

using program::UndefinedUse;

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
    if (instruction.guarded) return false;
    bool passes = false;
    for (const uint32_t r : uses.reads) {
      if (!m_undefined.contains(r)) continue;
      const UndefinedUse use = program::use_of_undefined(m_function, plain, r);
      if (use == UndefinedUse::effect) return true;
      passes = passes || use == UndefinedUse::passed_on;
    }
    if (passes) {
      m_undefined.insert(uses.writes.begin(), uses.writes.end());
      return false;
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

UndefinedUse Places::use_of_undefined(uint32_t instruction, uint32_t r) const {
  return program::use_of_undefined(*m_program.code_of(instruction).function,
                                   m_program.instruction(instruction), r);
}

bool Places::uses_result(uint32_t instruction) const {
  const auto [at, is_new] = m_uses.try_emplace(instruction, false);
  if (is_new) {
    const program::FunctionCode& code = m_program.code_of(instruction);
    const uint32_t index = instruction - code.first_instruction;
    const program::Uses uses = program::uses_of(*code.function, code.function->instructions[index]);
    at->second = reaches(*code.function, index, index + 1, {uses.writes.begin(), uses.writes.end()});
  }
  return at->second;
}

}  // namespace warplens::sanitize
