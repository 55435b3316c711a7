#include "core/gpu/exec/tier/block_compiler.h"

#include <algorithm>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/tier/layout.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::tier {

// Code can begin at this op, with everything in the frame.
void BlockCompiler::begin_here(uint32_t at) {
  const auto found = m_labels.find(at);
  const asmjit::Label label = found != m_labels.end() ? found->second : m_code.newLabel();
  m_code.bind(label);
  entered.emplace_back(at, label);
  m_piece.lanes.drop_all();
  m_piece.forget_shapes();
}

// Null goes back; warp.signal says why.
void BlockCompiler::signal(Signal what) {
  m_code.mov(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, signal)), static_cast<uint8_t>(what));
  m_code.xor_(x86::eax, x86::eax);
  m_code.jmp(m_piece.leave);
}

// As enter_block does.
void BlockCompiler::enter(uint32_t at) {
  const Op& op = m_ops[at];
  const asmjit::Label arrives = m_code.newLabel(), pauses = m_code.newLabel();
  load_op(x86::rax, at);
  m_code.cmp(x86::rax, of_warp(WARPLENS_OFFSET(Warp, join_op)));
  m_code.jz(arrives);
  const auto count = static_cast<int32_t>(program::entered_block(op) * sizeof(BlockCount));
  m_code.inc(x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, warps)));
  const x86::Mem threads = x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, threads));
  if (m_piece.mode == all_lanes) {
    m_code.add(threads, warp_lanes);
  } else {
    m_code.mov(x86::ecx, of_warp(WARPLENS_OFFSET(Warp, active)));
    m_code.add(threads, x86::rcx);
  }
  const int64_t steps = program::block_steps(op);
  if (steps == static_cast<int32_t>(steps)) {
    m_code.sub(steps_register, static_cast<int32_t>(steps));
  } else {
    m_code.mov(x86::rcx, static_cast<uint64_t>(steps));
    m_code.sub(steps_register, x86::rcx);
  }
  m_code.js(pauses);
  m_piece.beside.emplace_back([this, at, arrives, pauses, held = m_piece.lanes.held()] {
    m_code.bind(arrives);
    m_piece.lanes.store_all(held, false);
    signal(Signal::arrive);
    m_code.bind(pauses);
    m_piece.lanes.store_all(held, false);
    load_op(x86::rax, at + 1);
    m_code.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
    signal(Signal::slice);
  });
}

// Nobody reads the frame behind such a block.
bool BlockCompiler::only_exits(uint32_t at) const {
  return at + 1 < m_ops.size() && ends_block(at) && is(m_ops[at + 1], &run_exit);
}

// The frame has what is read there.
void BlockCompiler::go_to(uint32_t at) {
  if (const auto found = m_labels.find(at); found != m_labels.end()) {
    m_code.jmp(found->second);
    return;
  }
  load_op(x86::rax, at);
  m_code.mov(x86::rcx, asmjit::imm(&m_entries[at]));
  m_code.mov(x86::rcx, x86::ptr(x86::rcx, 0));
  m_code.test(x86::rcx, x86::rcx);
  m_code.jz(m_piece.leave);
  m_code.jmp(x86::rcx);
}

void BlockCompiler::go_back(uint32_t at) {
  m_piece.lanes.write(true);
  load_op(x86::rax, at);
  m_code.jmp(m_piece.leave);
  m_ended = true;
}

// eax: the lanes that take the branch, if they are active. Flags: equal, where there are none.
void BlockCompiler::test_taken(const Op& op) {
  m_code.mov(x86::eax, x86::ptr(frame_register, static_cast<int32_t>(program::branch_predicate(op))));
  if (op.flags & program::flag_negated) m_code.not_(x86::eax);
  if (m_piece.mode == all_lanes) {
    m_code.test(x86::eax, x86::eax);
  } else {
    m_code.and_(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
}

// Flags: equal, where all active lanes are in eax.
void BlockCompiler::test_all() {
  if (m_piece.mode == all_lanes) {
    m_code.cmp(x86::eax, -1);
  } else {
    m_code.cmp(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
}

void BlockCompiler::note_branch(uint32_t at) {
  m_trace.add(at);
  m_trace.note();
}

// As follow_branch does; lanes that part are left to it.
void BlockCompiler::branch(uint32_t at) {
  const Op& op = m_ops[at];
  const auto target = static_cast<uint32_t>(static_cast<int64_t>(at) + program::branch_jump(op));
  if (program::is_guarded(op) || !only_exits(target)) m_piece.lanes.write(!ends_block(at + 1));
  if (!program::is_guarded(op)) {
    go_to(target);
    m_ended = true;
    return;
  }
  const asmjit::Label stays = m_code.newLabel(), parts = m_code.newLabel();
  test_taken(op);
  m_code.jz(stays);
  test_all();
  m_code.jnz(parts);
  go_to(target);
  m_code.bind(stays);
  m_piece.beside.emplace_back([this, &op, parts] {
    m_code.bind(parts);
    m_piece.call_handler(op, &run_branch);
    m_code.jmp(m_piece.leave);
  });
}

// Handlers of lanes and accesses throw nothing but what a recorder or a watch throws, and go on behind their
// op or fail. A comparison that runs its branch as well would enter blocks.
bool BlockCompiler::may_call(uint32_t at) const {
  const Op& op = m_ops[at];
  if (is(op, &run_watch)) return true;
  if (is(op, &run_rounded)) return may_call(at + 1);
  return m_piece.has_selector(op) && (op.flags & program::flag_chained) == 0;
}

// What is behind an op, a guard with what it guards, or an op in another rounding mode, where it can be
// called; else 0.
uint32_t BlockCompiler::behind_call(uint32_t at) const {
  const Op& op = m_ops[at];
  if (!is(op, &run_guard)) return !may_call(at) ? 0 : is(op, &run_rounded) ? at + 2 : at + 1;
  const uint32_t behind = at + static_cast<uint32_t>(program::branch_jump(op));
  for (uint32_t i = at + 1; i < behind; ++i)
    if (!may_call(i)) return 0;
  return behind;
}

// Runs what behind_call() is behind of, and returns that.
uint32_t BlockCompiler::call(uint32_t at) {
  const Op& op = m_ops[at];
  const uint32_t behind = behind_call(at);
  if (behind == 0) return 0;
  Handler handler = op.handlers.run[m_piece.mode];
  // The handlers of chained and linked ops would run the next ones as well.
  if (m_piece.has_selector(op))
    handler = program::find_handlers(*m_piece.program.table, m_piece.selector(op)).run[m_piece.mode];
  m_piece.lanes.write(true);
  m_piece.call_handler(op, handler, m_piece.program.watching != program::Watching::nothing);
  m_piece.lanes.drop_all();
  m_piece.forget_shapes();
  load_op(x86::rcx, behind);
  m_code.cmp(x86::rax, x86::rcx);
  m_code.jnz(m_piece.leave);
  return behind;
}

// The op behind what was compiled.
uint32_t BlockCompiler::compile_op(uint32_t at) {
  const Op& op = m_ops[at];
  if (is(op, &run_branch)) {
    note_branch(at);
    branch(at);
    return at + 1;
  }
  if (is(op, &run_exit)) {
    m_trace.add(at);
    m_trace.note();
    m_code.jmp(m_piece.exit);
    m_ended = true;
    return at + 1;
  }
  if (is(op, &run_nothing)) {
    m_trace.add(at);
    return at + 1;
  }
  m_piece.further_ops = 0;
  if (m_piece.has_selector(op) && translate_lanes(m_piece, op)) {
    const uint32_t behind = at + 1 + m_piece.further_ops;
    for (uint32_t i = at; i < behind; ++i) m_trace.add(i);
    return behind;
  }
  if (m_piece.has_selector(op) && knows_access(m_piece, op)) {
    m_trace.add(at);
    m_trace.note(&op);
    translate_access(m_piece, op);
    return at + 1;
  }
  if (behind_call(at) != 0) {
    m_trace.add(at);
    m_trace.note();
    return call(at);
  }
  if (is(op, &run_barrier)) m_trace.add(at);
  m_trace.note();
  // Whoever runs it goes on behind it, where there may be code again.
  if (is(op, &run_barrier)) {
    m_piece.lanes.write(true);
    load_op(x86::rax, at + 1);
    m_code.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
    signal(Signal::barrier);
    m_ended = true;
  } else {
    go_back(at);
  }
  return at + 1;
}

void BlockCompiler::compile(uint32_t start) {
  m_ended = false;
  begin_here(start);
  enter(start);
  // Where a warp goes on whose turn ended here.
  if (!ends_block(start + 1)) begin_here(start + 1);
  uint32_t at = start + 1;
  if (const auto loop = find_loop(start)) {
    if (compile_loop(*loop, at) || ends_block(at)) return;
    begin_here(at);
    m_ended = false;
  }
  while (!ends_block(at)) {
    const bool is_exit = is(m_ops[at], &run_exit), is_jump = is(m_ops[at], &run_branch);
    if (is_jump && goes_on_behind(at, start)) {
      branch_and_stay(at, false);
      m_piece.lanes.drop_forgotten();
      enter(++at);
      ++at;
      continue;
    }
    at = compile_op(at);
    if (!m_ended) continue;
    if (is_exit || is_jump || ends_block(at)) return;
    begin_here(at);
    m_ended = false;
  }
  m_trace.note();
  if (!only_exits(at)) m_piece.lanes.write(false);
  if (at < m_ops.size()) go_to(at);
}

}  // namespace warplens::exec::tier
