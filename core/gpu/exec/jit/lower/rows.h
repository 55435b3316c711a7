// The PTX columns of ir/opcodes.def, both ways.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/program/op/ops_table.h"

namespace warplens::exec::jit {

// The row that computes what the selector asks for, apart from the predicates around a setp; nothing: no row
// does. A move of registers is none either.
std::optional<Opcode> row_of(const program::Selector& selector);
// How an operation of lanes is lowered: to a row, and for 16 bits to one of 32 bits, with some sources
// widened before it and the lower half of the result taken after it. With .ftz, subnormal numbers are flushed
// around it.
struct LaneRow {
  Opcode row;
  std::array<bool, 3> widened{};  // sources of 16 bits
  bool keeps_sign = false;        // when they are widened
  bool takes_low_half = false;
  bool flushes_sources = false, flushes_result = false;
  std::optional<Opcode> before = {};  // what is done to the first source before, after it was flushed
  Type source(size_t n) const { return widened[n] ? Type::b16 : info_of(row).sources[n]; }
};
std::optional<LaneRow> lane_row_of(const program::Selector& selector);
// What a handler for a row is picked by.
program::Selector selector_of(Opcode row, Condition condition);
std::optional<Condition> condition_of(ptx::Modifier compare);

}  // namespace warplens::exec::jit
