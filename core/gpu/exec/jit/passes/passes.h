// What is done to a unit between lowering and a target: each pass takes a unit that verify() finds right, and
// leaves one that does the same.
#pragma once

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// Where a target has the lanes of a value when somebody else may run: in the frame, so that each region
// begins with it alone, or in registers, so that the frame gets them only where somebody else does run.
enum class LanesAt : uint8_t { frame, registers };

// First lanes of rows: each takes a place of a target's stack.
constexpr uint32_t most_rows = 192;

// Finds the values whose lanes grow by a known number, and says so (Instruction::step). Where that holds only
// as long as no lane wraps around, an `ascends` asks before.
void find_rows(Unit& unit);

// Writes registers late: at the end of a region what its lanes have computed, and what forms a row, or stays
// in registers, only where the unit ends or somebody else goes on (Instruction::state). What nobody reads is
// not written.
void sink_puts(Unit& unit, LanesAt lanes);

// A region reads again from the frame what another one has computed. False: it is not there, and the unit
// cannot be used.
bool reload(Unit& unit);

// Where it makes no difference which NaN a value is, the result is taken before it is made the one of a GPU.
// Where the frame gets it only if somebody else goes on, it is made that there (Put::canonical).
void relax_nans(Unit& unit, LanesAt lanes);

// Takes out what computes a value that nobody uses.
void remove_dead(Unit& unit);

// Two bitwise operations of three words, of which nobody else uses the one between, become one by a table.
// For targets that have an instruction for that.
void fuse_logic(Unit& unit);

// Those that such a target needs, in this order.
bool run_passes(Unit& unit, LanesAt lanes);

}  // namespace warplens::exec::jit
