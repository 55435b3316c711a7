// The PTX columns of ir/opcodes.def, both ways.
#pragma once

#include <optional>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/program/op/ops_table.h"

namespace warplens::exec::jit {

// The row that computes what the selector asks for, apart from the predicates around a setp; nothing: no row
// does. A move of registers is none either.
std::optional<Opcode> row_of(const program::Selector& selector);
// What a handler for a row is picked by.
program::Selector selector_of(Opcode row, Condition condition);
std::optional<Condition> condition_of(ptx::Modifier compare);

}  // namespace warplens::exec::jit
