#include "core/gpu/exec/jit/lower/divergent.h"

#include "core/gpu/exec/jit/lower/reads.h"
#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/routines.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::jit {

namespace {

using program::Op;

constexpr uint32_t most_ops = 96;

class Sides {
 public:
  explicit Sides(const program::Program& program) : m_program(program) {}
  // Where the sides of the branch meet.
  std::optional<uint32_t> branch(uint32_t at, uint32_t depth);
  int64_t steps() const { return m_steps; }

 private:
  // From an op to where the sides meet.
  bool side(uint32_t at, uint32_t meet, uint32_t depth);
  bool is_lowered(uint32_t at) const {
    return at < m_program.selectors.size() && m_program.selectors[at].has_value();
  }

  const program::Program& m_program;
  uint32_t m_ops = 0;
  int64_t m_steps = 0;
};

std::optional<uint32_t> Sides::branch(uint32_t at, uint32_t depth) {
  const Op& op = m_program.ops[at];
  if (!runs(op, &run_branch) || !program::is_guarded(op)) return {};
  const auto branch = program::BranchOp::of(op);
  if (branch.jump <= 0 || branch.meet <= 0 || depth == most_divergent) return {};
  const uint32_t taken = at + static_cast<uint32_t>(branch.jump),
                 meet = at + static_cast<uint32_t>(branch.meet);
  if (!side(at + 1, meet, depth + 1) || !side(taken, meet, depth + 1)) return {};
  return meet;
}

bool Sides::side(uint32_t at, uint32_t meet, uint32_t depth) {
  while (at != meet) {
    if (at >= m_program.ops.size() || ++m_ops > most_ops) return false;
    const Op& op = m_program.ops[at];
    if (runs(op, &run_enter)) {
      m_steps += program::block_steps(op);
    } else if (runs(op, &run_branch) && program::is_guarded(op)) {
      const auto inner = branch(at, depth);
      if (!inner) return false;
      at = *inner;
      continue;
    } else if (runs(op, &run_branch)) {
      const int64_t target = int64_t{at} + program::branch_jump(op);
      if (target <= at) return false;
      at = static_cast<uint32_t>(target);
      continue;
    } else if (!runs(op, &run_nothing) && !runs(op, &run_guard)) {
      if (!is_lowered(at)) return false;
      if (is_plain_access(*m_program.selectors[at])) m_steps += scattered_steps;
    }
    ++at;
  }
  return true;
}

}  // namespace

std::optional<int64_t> steps_of_sides(const program::Program& program, uint32_t branch) {
  Sides sides(program);
  if (!sides.branch(branch, 0)) return {};
  return sides.steps();
}

}  // namespace warplens::exec::jit
