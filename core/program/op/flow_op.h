// The ops that decide where a path continues: the start of a block, branches, guards, and traps.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

// The ops that run for each block and each branch are read field by field, so that unused fields cost
// nothing.

// One more of Op::flags: lanes that continue here do nothing but exit. Compilers write an early return as a
// branch to the kernel's end.
constexpr uint16_t flag_leaves = 1024;
inline bool only_exits(const Op& op) { return (op.flags & flag_leaves) != 0; }

// The start of a basic block.
inline uint32_t entered_block(const Op& op) { return op.state; }   // in Program::flow
inline int64_t block_steps(const Op& op) { return op.immediate; }  // subtracted from the warp's budget

struct EnterOp {
  uint32_t block = 0;
  int64_t steps = 0;

  static EnterOp of(const Op& op) { return {entered_block(op), block_steps(op)}; }
  void write(Op& op) const {
    op.state = block;
    op.immediate = steps;
  }
};

// A branch to one place, taken by the lanes that the predicate names.
inline bool is_guarded(const Op& op) { return (op.flags & flag_guarded) != 0; }
inline uint32_t branch_predicate(const Op& op) { return op.a; }    // guarded: its slot; taken_by() reads it
inline uint32_t branch_counter(const Op& op) { return op.state; }  // in Program::counted
inline int32_t branch_jump(const Op& op) { return op.jump; }       // ops to the target
// For branches, tables and indirect calls: the distance in ops to the point of reconvergence; 0 if that is
// only at the end.
inline int32_t meeting_place(const Op& op) { return op.meet; }

struct BranchOp {
  bool guarded = false, negated = false;
  uint32_t predicate = 0;
  uint32_t counter = 0;
  int32_t jump = 0, meet = 0;

  static BranchOp of(const Op& op) {
    return {is_guarded(op),       (op.flags & flag_negated) != 0,
            branch_predicate(op), branch_counter(op),
            branch_jump(op),      meeting_place(op)};
  }
  void write(Op& op) const {
    if (guarded) op.flags |= flag_guarded;
    if (negated) op.flags |= flag_negated;
    op.a = predicate;
    op.state = counter;
    op.jump = jump;
    op.meet = meet;
  }
};

// brx: a branch to one of several places.
struct BranchTableOp {
  uint32_t index = 0;    // slot, 32 bits a lane
  uint32_t table = 0;    // in Program::branch_tables
  uint32_t counter = 0;  // in Program::counted
  int32_t meet = 0;      // as for a branch

  static BranchTableOp of(const Op& op) { return {op.a, op.state, op.b, op.meet}; }
  void write(Op& op) const {
    op.a = index;
    op.state = table;
    op.b = counter;
    op.meet = meet;
  }
};

// Lanes whose predicate is false skip the next ops. Read in the same way as a branch.
struct GuardOp {
  uint32_t predicate = 0;  // slot
  bool negated = false;
  int32_t jump = 0;  // ops to the first one after the guarded ops

  static GuardOp of(const Op& op) { return {op.a, (op.flags & flag_negated) != 0, op.jump}; }
  void write(Op& op) const {
    op.a = predicate;
    if (negated) op.flags |= flag_negated;
    op.jump = jump;
  }
};

struct TrapOp {
  bool is_breakpoint = false;

  static TrapOp of(const Op& op) { return {op.extra != 0}; }
  void write(Op& op) const { op.extra = is_breakpoint ? 1 : 0; }
};

}  // namespace warplens::program
