// Code for the basic blocks of a program, one behind the other. A block begins with nothing in vector
// registers and ends with everything in the frame that is read behind it, but for loops and blocks behind a
// branch, which keep what is in registers.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/tier/piece.h"
#include "core/gpu/exec/tier/trace_code.h"

namespace warplens::exec::tier {

class BlockCompiler {
 public:
  BlockCompiler(Piece& piece, const std::vector<uint32_t>& starts, const std::atomic<const void*>* entries)
      : m_piece(piece), m_code(piece.code), m_ops(piece.program.ops), m_entries(entries) {
    for (const uint32_t start : starts) m_labels.emplace(start, m_code.newLabel());
    const auto& blocks = piece.program.flow.blocks;
    m_ways_in.resize(blocks.size());
    for (const program::BasicBlock& block : blocks)
      for (const uint32_t next : block.successors) ++m_ways_in[next];
  }
  void compile(uint32_t start);
  std::vector<std::pair<uint32_t, asmjit::Label>> entered;

 private:
  static x86::Mem of_warp(int32_t member) { return x86::ptr(warp_register, member); }
  bool is(const Op& op, Handler handler) const { return op.handlers.run[some_lanes] == handler; }
  bool only_exits(uint32_t at) const;
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
  void branch_and_stay(uint32_t at, bool stays_if_taken);
  bool goes_on_behind(uint32_t branch, uint32_t start);
  bool compile_round(const Loop& loop, uint32_t& at);
  bool compile_loop(const Loop& loop, uint32_t& at);

  Piece& m_piece;
  Assembler& m_code;
  const std::vector<Op>& m_ops;
  const std::atomic<const void*>* m_entries;
  TraceCode m_trace{m_piece};
  std::map<uint32_t, asmjit::Label> m_labels;  // of blocks that are compiled in one go
  bool m_ended = false;                        // nothing runs into what follows
  std::vector<uint32_t> m_ways_in;             // per block of the program
  std::set<uint32_t> m_followed;               // starts of blocks that were compiled behind another one
};

}  // namespace warplens::exec::tier
