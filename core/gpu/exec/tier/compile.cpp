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
#include "core/gpu/exec/tier/trace_code.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::tier {

bool Piece::has_selector(const Op& op) const {
  const size_t at = index_of(op);
  return at < program.selectors.size() && program.selectors[at].has_value();
}

const program::Selector& Piece::selector(const Op& op) const { return *program.selectors[index_of(op)]; }

void Piece::call_handler(const Op& op, Handler handler, bool may_throw) {
  call_handler_at(ops + index_of(op), handler, may_throw);
}

void Piece::call_beside(const Op& op, Handler handler) {
  if (lookers.traced) {
    code.mov(x86::rax, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, trace)));
    code.mov(x86::rax, x86::ptr(x86::rax, WARPLENS_OFFSET(TraceLog, at)));
    code.mov(
        x86::byte_ptr(x86::rax, WARPLENS_OFFSET(TracedRun, bytes) - static_cast<int32_t>(sizeof(TracedRun))),
        0);
    code.mov(
        x86::byte_ptr(x86::rax, WARPLENS_OFFSET(TracedRun, space) - static_cast<int32_t>(sizeof(TracedRun))),
        static_cast<uint8_t>(Space::generic));
  }
  // The op whose own handler notes nothing.
  call_handler_at(&op, handler, false);
}

void Piece::call_handler_at(const Op* op, Handler handler, bool may_throw) {
  code.mov(x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)), steps_register);
  code.mov(x86::rdi, asmjit::imm(op));
  code.mov(x86::rsi, warp_register);
  if (may_throw || lookers.recorded) {
    code.mov(x86::rdx, asmjit::imm(handler));
    code.mov(x86::rax, asmjit::imm(&run_and_catch));
  } else {
    code.mov(x86::rax, asmjit::imm(handler));
  }
  code.vzeroupper();
  code.call(x86::rax);
  code.mov(steps_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)));
  find_active_lanes();
}

void Piece::find_active_lanes() {
  if (mode == all_lanes) return;
  code.kmovw(lower_lanes, x86::word_ptr(warp_register, WARPLENS_OFFSET(Warp, mask)));
  code.kmovw(upper_lanes, x86::word_ptr(warp_register, WARPLENS_OFFSET(Warp, mask) + 2));
}

void Piece::write_predicate(uint32_t slot, x86::Gp from) {
  const x86::Mem word = x86::ptr(frame_register, static_cast<int32_t>(slot));
  if (mode == all_lanes) return static_cast<void>(code.mov(word, from));
  code.mov(x86::esi, word);
  code.xor_(from, x86::esi);
  code.and_(from, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, mask)));
  code.xor_(from, x86::esi);
  code.mov(word, from);
}

namespace {

constexpr x86::Gp saved[] = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};

// const Op* enter(Warp*, where to go on)
void write_way_in(Piece& piece) {
  Assembler& code = piece.code;
  for (const x86::Gp& r : saved) code.push(r);
  code.sub(x86::rsp, Piece::stack_bytes);
  code.mov(warp_register, x86::rdi);
  code.mov(frame_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, frame)));
  code.mov(block_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, block)));
  code.mov(steps_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)));
  code.mov(counts_register, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, counts)));
  code.mov(counters_register, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, memory_ops)));
  piece.find_active_lanes();
  code.jmp(x86::rsi);
}

// In a chain the next warp begins (Block::run_chain), with a turn of its own.
void write_exit(Piece& piece) {
  Assembler& code = piece.code;
  const auto chain = [](int32_t member) {
    return x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, chain) + member);
  };
  const asmjit::Label alone = code.newLabel(), last = code.newLabel();
  code.bind(piece.exit);
  if (piece.mode == all_lanes) {
    code.mov(x86::rax, chain(WARPLENS_OFFSET(Chain, end)));
    code.test(x86::rax, x86::rax);
    code.jz(alone);
    code.mov(x86::rcx, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, slice)));
    code.sub(x86::rcx, steps_register);
    code.add(x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, clock)), x86::rcx);
    code.sub(chain(WARPLENS_OFFSET(Chain, steps)), x86::rcx);
    code.add(warp_register, static_cast<int32_t>(sizeof(Warp)));
    code.mov(chain(WARPLENS_OFFSET(Chain, at)), warp_register);
    code.cmp(warp_register, x86::rax);
    code.jz(last);
    code.mov(steps_register, chain(WARPLENS_OFFSET(Chain, steps)));
    code.mov(x86::rcx, chain(WARPLENS_OFFSET(Chain, turn)));
    code.cmp(steps_register, x86::rcx);
    code.cmovg(steps_register, x86::rcx);
    code.mov(x86::ptr(warp_register, WARPLENS_OFFSET(Warp, slice)), steps_register);
    code.mov(frame_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, frame)));
    code.jmp(chain(WARPLENS_OFFSET(Chain, entry)));
    code.bind(last);
    code.sub(warp_register, static_cast<int32_t>(sizeof(Warp)));
  }
  code.bind(alone);
  code.mov(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, signal)), static_cast<uint8_t>(Signal::exit));
  code.xor_(x86::eax, x86::eax);
  code.jmp(piece.leave);
}

void write_way_out(Piece& piece) {
  Assembler& code = piece.code;
  code.bind(piece.leave);
  code.mov(x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)), steps_register);
  code.vzeroupper();
  code.add(x86::rsp, Piece::stack_bytes);
  for (size_t i = std::size(saved); i-- > 0;) code.pop(saved[i]);
  code.ret();
  code.bind(piece.not_a_number);
  code.embedUInt32(0x7fffffff);
}

// Slots that hold one value in all lanes for the whole launch, and what follows from them in the prologue.
// Ops with links compute each lane's result from the lane's own sources.
void find_uniform(Piece& piece) {
  for (const program::ConstantSlot& slot : piece.program.constants) {
    piece.uniform.insert(slot.slot);
    piece.known.emplace(slot.slot, slot.bits);
  }
  for (const program::ParameterSlot& slot : piece.program.parameters) piece.uniform.insert(slot.slot);
  for (const Op& op : piece.program.prologue) {
    const program::Links* const links = op.handlers.links;
    if (links == nullptr || links->result_bytes == 0) continue;
    const uint32_t sources[3] = {op.a, op.b, op.c};
    bool is_uniform = true;
    for (uint32_t i = 0; i < 3; ++i)
      is_uniform = is_uniform && (links->source_bytes[i] == 0 || piece.uniform.contains(sources[i]));
    if (is_uniform) piece.uniform.insert(op.d);
  }
}

class BlockCompiler {
 public:
  BlockCompiler(Piece& piece, const std::vector<uint32_t>& starts, const std::atomic<const void*>* entries)
      : m_piece(piece), m_code(piece.code), m_ops(piece.program.ops), m_entries(entries) {
    for (const uint32_t start : starts) m_labels.emplace(start, m_code.newLabel());
  }
  void compile(uint32_t start);
  std::vector<std::pair<uint32_t, asmjit::Label>> entered;

 private:
  static x86::Mem of_warp(int32_t member) { return x86::ptr(warp_register, member); }
  bool is(const Op& op, Handler handler) const { return op.handlers.run[some_lanes] == handler; }
  bool ends_block(uint32_t at) const { return at >= m_ops.size() || is(m_ops[at], &run_enter); }
  void load_op(x86::Gp to, uint32_t at) { m_code.mov(to, asmjit::imm(m_piece.ops + at)); }
  void begin_here(uint32_t at);
  void enter(uint32_t at);
  void signal(Signal what);
  void go_to(uint32_t at);
  void branch(uint32_t at);
  void note_branch(uint32_t at);
  void test_taken(const Op& op);
  void test_all();
  void go_back(uint32_t at);
  bool may_call(uint32_t at) const;
  uint32_t behind_call(uint32_t at) const;
  uint32_t call(uint32_t at);
  uint32_t compile_op(uint32_t at);

  // A loop whose blocks come one behind the other, with branches out of it between them.
  struct Loop {
    std::vector<uint32_t> starts;  // of its blocks
    uint32_t back = 0;             // the branch to its start
  };
  std::optional<Loop> find_loop(uint32_t start) const;
  void store_all(const std::vector<LaneRegisters::Held>& held);
  void branch_in_loop(uint32_t at, bool goes_on_if_taken);
  bool compile_round(const Loop& loop, uint32_t& at);
  bool compile_loop(const Loop& loop, uint32_t& at);

  Piece& m_piece;
  Assembler& m_code;
  const std::vector<Op>& m_ops;
  const std::atomic<const void*>* m_entries;
  TraceCode m_trace{m_piece};
  std::map<uint32_t, asmjit::Label> m_labels;  // of blocks that are compiled in one go
  bool m_ended = false;                        // nothing runs into what follows
};

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
    store_all(held);
    signal(Signal::arrive);
    m_code.bind(pauses);
    store_all(held);
    load_op(x86::rax, at + 1);
    m_code.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
    signal(Signal::slice);
  });
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
  m_piece.lanes.write(!ends_block(at + 1));
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

// On the way out of a loop: the frame gets what it does not have.
void BlockCompiler::store_all(const std::vector<LaneRegisters::Held>& held) {
  for (const auto& each : held)
    if (each.dirty && !each.forgotten) m_piece.lanes.store(each);
}

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

// A branch in a loop: who goes on in it keeps what is in registers.
void BlockCompiler::branch_in_loop(uint32_t at, bool goes_on_if_taken) {
  const asmjit::Label others = m_code.newLabel(), parts = m_code.newLabel();
  test_taken(m_ops[at]);
  if (goes_on_if_taken) test_all();
  m_code.jnz(others);
  m_piece.beside.emplace_back([this, at, goes_on_if_taken, others, parts, held = m_piece.lanes.held()] {
    const Op& op = m_ops[at];
    m_code.bind(others);
    store_all(held);
    if (goes_on_if_taken) {
      m_code.test(x86::eax, x86::eax);
    } else {
      test_all();
    }
    m_code.jnz(parts);
    const int64_t jump = goes_on_if_taken ? 1 : program::branch_jump(op);
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
      if (is_jump && program::is_guarded(m_ops[at])) branch_in_loop(at, false);
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
  if (is_guarded) branch_in_loop(loop.back, true);
  m_code.bind(again);
  m_piece.lanes.renew_roots();
  m_piece.forget_shapes();
  const auto held = m_piece.lanes.held();
  enter(loop.starts.front());
  compile_round(loop, at);
  if (is_guarded) branch_in_loop(loop.back, true);
  m_piece.lanes.return_to(held);
  m_code.jmp(again);
  return true;
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
    at = compile_op(at);
    if (!m_ended) continue;
    if (is_exit || is_jump || ends_block(at)) return;
    begin_here(at);
    m_ended = false;
  }
  m_trace.note();
  m_piece.lanes.write(false);
  if (at < m_ops.size()) go_to(at);
}

}  // namespace

bool can_compile() { return true; }

Compiled compile_blocks(const program::Program& program, const Op* ops, const std::vector<uint32_t>& starts,
                        Mode mode, const Lookers& lookers, bool checks,
                        const std::atomic<const void*>* entries) {
  Piece piece(program, ops, mode, lookers, checks);
  find_uniform(piece);
  write_way_in(piece);
  BlockCompiler blocks(piece, starts, entries);
  for (const uint32_t start : starts) blocks.compile(start);
  for (size_t i = 0; i < piece.beside.size(); ++i) piece.beside[i]();
  write_exit(piece);
  write_way_out(piece);
  Compiled compiled;
  compiled.bytes = piece.code.finish();
  if (compiled.bytes.empty()) return {};
  for (const auto& [op, label] : blocks.entered)
    compiled.entered.emplace_back(op, piece.code.offset_of(label));
  return compiled;
}

}  // namespace warplens::exec::tier
