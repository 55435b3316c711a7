// From the ops of basic blocks to machine code.
//
// The way in saves what the caller needs and takes the addresses that all code uses into registers; a block
// begins with nothing in vector registers and ends with everything in the frame that is read behind it. What
// is not known here runs by its handler, or ends the code: then the op's address goes back to who called, as
// a handler returns the next op.
#include <algorithm>
#include <optional>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/tier/compiled.h"
#include "core/gpu/exec/tier/layout.h"
#include "core/gpu/exec/tier/piece.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::tier {

bool Piece::has_selector(const Op& op) const {
  const size_t at = index_of(op);
  return at < program.selectors.size() && program.selectors[at].has_value();
}

const program::Selector& Piece::selector(const Op& op) const { return *program.selectors[index_of(op)]; }

void Piece::call_handler(const Op& op, Handler handler) {
  code.store({warp_register, WARPLENS_OFFSET(Warp, steps)}, steps_register);
  code.move(rdi, reinterpret_cast<uintptr_t>(&op));
  code.move(rsi, warp_register);
  code.move(rax, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(handler)));
  code.leave_vectors();
  code.call(rax);
  code.scalar(Scalar::load, steps_register, At{warp_register, WARPLENS_OFFSET(Warp, steps)});
}

namespace {

constexpr Gpr saved[] = {rbx, rbp, r12, r13, r14, r15};

// const Op* enter(Warp*, where to go on)
void write_way_in(X86Code& code) {
  for (const Gpr r : saved) code.push(r);
  code.scalar(Immediate::sub, rsp, Piece::stack_bytes);
  code.move(warp_register, rdi);
  code.scalar(Scalar::load, frame_register, At{warp_register, WARPLENS_OFFSET(Warp, frame)});
  code.scalar(Scalar::load, block_register, At{warp_register, WARPLENS_OFFSET(Warp, block)});
  code.scalar(Scalar::load, steps_register, At{warp_register, WARPLENS_OFFSET(Warp, steps)});
  code.scalar(Scalar::load, counts_register, At{block_register, WARPLENS_OFFSET(BlockContext, counts)});
  code.scalar(Scalar::load, counters_register, At{block_register, WARPLENS_OFFSET(BlockContext, memory_ops)});
  code.jump(rsi);
}

void write_way_out(Piece& piece) {
  X86Code& code = piece.code;
  code.bind(piece.leave);
  code.store({warp_register, WARPLENS_OFFSET(Warp, steps)}, steps_register);
  code.leave_vectors();
  code.scalar(Immediate::add, rsp, Piece::stack_bytes);
  for (size_t i = std::size(saved); i-- > 0;) code.pop(saved[i]);
  code.ret();
  code.bind(piece.not_a_number);
  code.word(0x7fffffff);
}

// Slots that hold one value in all lanes for the whole launch, and what follows from them in the prologue.
void find_uniform(Piece& piece) {
  for (const program::ConstantSlot& slot : piece.program.constants) {
    piece.uniform.insert(slot.slot);
    piece.known.emplace(slot.slot, slot.bits);
  }
  for (const program::ParameterSlot& slot : piece.program.parameters) piece.uniform.insert(slot.slot);
}

class BlockCompiler {
 public:
  BlockCompiler(Piece& piece, const std::vector<uint32_t>& starts, const std::atomic<const void*>* entries)
      : m_piece(piece), m_code(piece.code), m_ops(piece.program.ops), m_entries(entries) {
    for (const uint32_t start : starts) m_labels.emplace(start, m_code.label());
  }
  void compile(uint32_t start);
  std::vector<std::pair<uint32_t, Label>> entered;

 private:
  static At of_warp(int32_t member) { return {warp_register, member}; }
  bool is(const Op& op, Handler handler) const { return op.handlers.run[some_lanes] == handler; }
  bool ends_block(uint32_t at) const { return at >= m_ops.size() || is(m_ops[at], &run_enter); }
  void load_op(Gpr to, uint32_t at) { m_code.move(to, reinterpret_cast<uintptr_t>(&m_ops[at])); }
  void begin_here(uint32_t at);
  void enter(uint32_t at);
  void signal(Signal what);
  void go_to(uint32_t at);
  void branch(uint32_t at);
  void go_back(uint32_t at);
  bool may_call(uint32_t at) const;
  uint32_t call(uint32_t at);
  uint32_t compile_op(uint32_t at);

  Piece& m_piece;
  X86Code& m_code;
  const std::vector<Op>& m_ops;
  const std::atomic<const void*>* m_entries;
  std::map<uint32_t, Label> m_labels;  // of blocks that are compiled in one go
  bool m_ended = false;                // nothing runs into what follows
};

// Code can begin at this op, with everything in the frame.
void BlockCompiler::begin_here(uint32_t at) {
  const auto found = m_labels.find(at);
  const Label label = found != m_labels.end() ? found->second : m_code.label();
  m_code.bind(label);
  entered.emplace_back(at, label);
  m_piece.lanes.drop_all();
  m_piece.forget_shapes();
}

// Null goes back; warp.signal says why.
void BlockCompiler::signal(Signal what) {
  m_code.store_byte(of_warp(WARPLENS_OFFSET(Warp, signal)), static_cast<uint8_t>(what));
  m_code.scalar32(Scalar::xor_, rax, rax);
  m_code.jump(m_piece.leave);
}

// As enter_block does.
void BlockCompiler::enter(uint32_t at) {
  begin_here(at);
  const Op& op = m_ops[at];
  const Label arrives = m_code.label(), pauses = m_code.label();
  load_op(rax, at);
  m_code.scalar(Scalar::compare, rax, of_warp(WARPLENS_OFFSET(Warp, join_op)));
  m_code.jump(When::zero, arrives);
  const auto count = static_cast<int32_t>(program::entered_block(op) * sizeof(BlockCount));
  m_code.increment({counts_register, count + WARPLENS_OFFSET(BlockCount, warps)});
  m_code.scalar(Immediate::add, At{counts_register, count + WARPLENS_OFFSET(BlockCount, threads)},
                warp_lanes);
  m_code.move(rcx, static_cast<uint64_t>(program::block_steps(op)));
  m_code.scalar(Scalar::sub, steps_register, rcx);
  m_code.jump(When::negative, pauses);
  m_piece.beside.emplace_back([this, at, arrives, pauses] {
    m_code.bind(arrives);
    signal(Signal::arrive);
    m_code.bind(pauses);
    load_op(rax, at + 1);
    m_code.store(of_warp(WARPLENS_OFFSET(Warp, next)), rax);
    signal(Signal::slice);
  });
}

// The frame has what is read there.
void BlockCompiler::go_to(uint32_t at) {
  if (const auto found = m_labels.find(at); found != m_labels.end()) return m_code.jump(found->second);
  load_op(rax, at);
  m_code.move(rcx, reinterpret_cast<uintptr_t>(&m_entries[at]));
  m_code.scalar(Scalar::load, rcx, At{rcx, 0});
  m_code.test(rcx, rcx);
  m_code.jump(When::zero, m_piece.leave);
  m_code.jump(rcx);
}

void BlockCompiler::go_back(uint32_t at) {
  m_piece.lanes.write(true);
  load_op(rax, at);
  m_code.jump(m_piece.leave);
  m_ended = true;
}

// As follow_branch does; lanes that part are left to it.
void BlockCompiler::branch(uint32_t at) {
  const Op& op = m_ops[at];
  const auto target = static_cast<uint32_t>(static_cast<int64_t>(at) + program::branch_jump(op));
  m_piece.lanes.write(!ends_block(at + 1));
  if (!program::is_guarded(op)) {
    go_to(target);
    m_ended = true;
    return;
  }
  const Label stays = m_code.label(), parts = m_code.label();
  m_code.scalar32(Scalar::load, rax, At{frame_register, static_cast<int32_t>(program::branch_predicate(op))});
  if (op.flags & program::flag_negated) m_code.invert32(rax);
  m_code.test32(rax, rax);
  m_code.jump(When::zero, stays);
  m_code.scalar32(Immediate::compare, rax, -1);
  m_code.jump(When::not_zero, parts);
  go_to(target);
  m_code.bind(stays);
  m_piece.beside.emplace_back([this, &op, parts] {
    m_code.bind(parts);
    m_piece.call_handler(op, &run_branch);
    m_code.jump(m_piece.leave);
  });
}

// Handlers of lanes and accesses throw nothing, and go on behind their op or fail. A comparison that runs its
// branch as well would enter blocks.
bool BlockCompiler::may_call(uint32_t at) const {
  const Op& op = m_ops[at];
  if (is(op, &run_rounded)) return may_call(at + 1);
  return m_piece.has_selector(op) && (op.flags & program::flag_chained) == 0;
}

// Runs an op, a guard with what it guards, or an op in another rounding mode. What is behind it; 0: it is
// nothing to be called.
uint32_t BlockCompiler::call(uint32_t at) {
  const Op& op = m_ops[at];
  uint32_t behind = at + 1;
  Handler handler = op.handlers.run[all_lanes];
  if (is(op, &run_guard)) {
    behind = at + static_cast<uint32_t>(program::branch_jump(op));
    for (uint32_t i = at + 1; i < behind; ++i)
      if (!may_call(i)) return 0;
  } else {
    if (!may_call(at)) return 0;
    if (is(op, &run_rounded)) {
      behind = at + 2;
    } else {
      handler = program::find_handlers(*m_piece.program.table, m_piece.selector(op)).run[all_lanes];
    }
  }
  m_piece.lanes.write(true);
  m_piece.call_handler(op, handler);
  m_piece.lanes.drop_all();
  m_piece.forget_shapes();
  load_op(rcx, behind);
  m_code.scalar(Scalar::compare, rax, rcx);
  m_code.jump(When::not_zero, m_piece.leave);
  return behind;
}

// The op behind what was compiled.
uint32_t BlockCompiler::compile_op(uint32_t at) {
  const Op& op = m_ops[at];
  if (is(op, &run_branch)) {
    branch(at);
    return at + 1;
  }
  if (is(op, &run_exit)) {
    signal(Signal::exit);
    m_ended = true;
    return at + 1;
  }
  if (is(op, &run_nothing)) return at + 1;
  if (m_piece.has_selector(op) && (translate_lanes(m_piece, op) || translate_access(m_piece, op)))
    return at + 1;
  if (const uint32_t behind = call(at); behind != 0) return behind;
  // Whoever runs it goes on behind it, where there may be code again.
  if (is(op, &run_barrier)) {
    m_piece.lanes.write(true);
    load_op(rax, at + 1);
    m_code.store(of_warp(WARPLENS_OFFSET(Warp, next)), rax);
    signal(Signal::barrier);
    m_ended = true;
  } else {
    go_back(at);
  }
  return at + 1;
}

void BlockCompiler::compile(uint32_t start) {
  m_ended = false;
  enter(start);
  uint32_t at = start + 1;
  while (!ends_block(at)) {
    const bool is_exit = is(m_ops[at], &run_exit), is_jump = is(m_ops[at], &run_branch);
    at = compile_op(at);
    if (!m_ended) continue;
    if (is_exit || is_jump || ends_block(at)) return;
    begin_here(at);
    m_ended = false;
  }
  m_piece.lanes.write(false);
  if (at < m_ops.size()) go_to(at);
}

}  // namespace

Compiled compile_blocks(const program::Program& program, const std::vector<uint32_t>& starts, bool counts,
                        const std::atomic<const void*>* entries) {
  Piece piece(program, counts);
  find_uniform(piece);
  write_way_in(piece.code);
  BlockCompiler blocks(piece, starts, entries);
  for (const uint32_t start : starts) blocks.compile(start);
  for (size_t i = 0; i < piece.beside.size(); ++i) piece.beside[i]();
  write_way_out(piece);
  Compiled compiled;
  compiled.bytes = piece.code.finish();
  for (const auto& [op, label] : blocks.entered)
    compiled.entered.emplace_back(op, piece.code.offset_of(label));
  return compiled;
}

}  // namespace warplens::exec::tier
