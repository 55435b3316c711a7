// The passes over a unit between lowering and a target. Each takes a unit that verify() accepts and leaves an
// equivalent one.
#pragma once

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// Where a target keeps the lanes of a value while a handler may run: in the frame, so that a region starts
// with all values there, or in registers, so that they are written to the frame only on the cold path, where
// a handler does run.
enum class LanesAt : uint8_t { frame, registers };

// The largest number of rows. The first lane of each takes a place of a target's stack.
constexpr uint32_t most_rows = 192;

// Finds the affine values, whose lanes grow by a known step, and sets Instruction::step. If a value is affine
// only while no lane wraps around, an `ascends` instruction checks that first.
void find_rows(Unit& unit);

// Moves each note of a traced run down to the next note and makes one of both, as long as no handler may take
// over in between: it would start without them.
void merge_notes(Unit& unit);

// Writes registers late: results of lanes at the end of their region; rows, and values that stay in
// registers, only where the unit ends or a handler takes over (Instruction::state). Values that are never
// read are not written.
void sink_puts(Unit& unit, LanesAt lanes);

// Makes a region read the results of other regions from the frame. False if one is not there: then the unit
// cannot be used.
bool reload(Unit& unit);

// If it makes no difference which NaN a value is, uses the result before its NaN is made the GPU's. If the
// frame gets the value only on the cold path, the NaN is made the GPU's there (Put::canonical).
void relax_nans(Unit& unit, LanesAt lanes);

// Removes instructions whose value is never used.
void remove_dead(Unit& unit);

// Fuses two bitwise operations on three words into one with a table, if the value between them has no other
// use. For targets that have an instruction for that.
void fuse_logic(Unit& unit);

// Runs the passes that such a target needs, in this order.
bool run_passes(Unit& unit, LanesAt lanes);

}  // namespace warplens::exec::jit
