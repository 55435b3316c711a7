// Blocks that keep what is in registers for the next one: loops, and blocks behind a branch.
#include "core/gpu/exec/tier/block_compiler.h"

#include <algorithm>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/tier/layout.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::tier {

// Nothing but blocks that end in branches, and ops that go on behind themselves.
std::optional<BlockCompiler::Loop> BlockCompiler::find_loop(uint32_t start) const {
  constexpr size_t most_ops = 256;
  Loop loop{{start}, 0};
  uint32_t at = start + 1;
  for (size_t ops = 0; ops < most_ops && at < m_ops.size(); ++ops) {
    const Op& op = m_ops[at];
    if (is(op, &run_branch)) {
      const auto target = static_cast<uint32_t>(static_cast<int64_t>(at) + program::branch_jump(op));
      if (!ends_block(at + 1)) return {};
      if (target == start) {
        loop.back = at;
        return loop;
      }
      at = program::is_guarded(op) ? at + 1 : target;
    } else if (!ends_block(at)) {
      const uint32_t behind = is(op, &run_nothing) || m_piece.has_selector(op) ? at + 1 : behind_call(at);
      if (behind == 0) return {};
      at = behind;
    }
    if (!ends_block(at)) continue;
    if (at >= m_ops.size() || std::ranges::find(loop.starts, at) != loop.starts.end()) return {};
    loop.starts.push_back(at++);
  }
  return {};
}

// A branch behind which, or where it goes, follows here: who goes there keeps what is in registers.
void BlockCompiler::branch_and_stay(uint32_t at, bool stays_if_taken) {
  const asmjit::Label others = m_code.newLabel(), parts = m_code.newLabel();
  test_taken(m_ops[at]);
  if (stays_if_taken) test_all();
  m_code.jnz(others);
  m_piece.beside.emplace_back([this, at, stays_if_taken, others, parts, held = m_piece.lanes.held()] {
    const Op& op = m_ops[at];
    m_code.bind(others);
    m_piece.lanes.store_all(held, false);
    if (stays_if_taken) {
      m_code.test(x86::eax, x86::eax);
    } else {
      test_all();
    }
    m_code.jnz(parts);
    const int64_t jump = stays_if_taken ? 1 : program::branch_jump(op);
    go_to(static_cast<uint32_t>(static_cast<int64_t>(at) + jump));
    m_code.bind(parts);
    m_piece.call_handler(op, &run_branch);
    m_code.jmp(m_piece.leave);
  });
}

// Behind enter() of the first block. False: it ended early, and `at` is behind what ended it.
bool BlockCompiler::compile_round(const Loop& loop, uint32_t& at) {
  for (size_t block = 0;;) {
    for (at = loop.starts[block] + 1; !ends_block(at);) {
      if (at == loop.back) {
        note_branch(at);
        m_piece.lanes.drop_forgotten();
        return true;
      }
      const bool is_jump = is(m_ops[at], &run_branch);
      if (is_jump) note_branch(at);
      if (is_jump && program::is_guarded(m_ops[at])) branch_and_stay(at, false);
      at = is_jump ? at + 1 : compile_op(at);
      if (m_ended) return false;
    }
    m_trace.note();
    m_piece.lanes.drop_forgotten();
    m_piece.forget_shapes();
    enter(loop.starts[++block]);
  }
}

// The first round begins with what is in the frame, and the second one with what the first one has in
// registers; all others begin as the second one did. Returns as compile_round() does.
bool BlockCompiler::compile_loop(const Loop& loop, uint32_t& at) {
  const bool is_guarded = program::is_guarded(m_ops[loop.back]);
  const asmjit::Label again = m_code.newLabel();
  if (!compile_round(loop, at)) return false;
  if (is_guarded) branch_and_stay(loop.back, true);
  m_piece.lanes.end_lines();
  m_code.bind(again);
  m_piece.lanes.renew_roots();
  m_piece.forget_shapes();
  const auto held = m_piece.lanes.held();
  enter(loop.starts.front());
  compile_round(loop, at);
  if (is_guarded) branch_and_stay(loop.back, true);
  m_piece.lanes.end_lines();
  m_piece.lanes.return_to(held);
  m_code.jmp(again);
  return true;
}

// Whether the block behind a branch is compiled in one go with what is before it. It has code of its own
// besides, for who comes to it otherwise, and that goes on to its end alone.
bool BlockCompiler::goes_on_behind(uint32_t branch, uint32_t start) {
  const uint32_t next = branch + 1;
  if (!m_piece.has_lines || m_followed.contains(start) || !m_labels.contains(next)) return false;
  if (!program::is_guarded(m_ops[branch]) || m_ways_in[program::entered_block(m_ops[next])] != 1)
    return false;
  return m_followed.insert(next).second;
}

}  // namespace warplens::exec::tier
