// The ops of calls and of the stack, PTX ISA 9.7.12.5 and 9.7.17.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

// A call of a function that decode knows, or of one of the driver's.
struct CallOp {
  uint32_t site = 0;  // in Program::calls

  static CallOp of(const Op& op) { return {op.state}; }
  void write(Op& op) const { op.state = site; }
};

struct IndirectCallOp {
  uint32_t site = 0;       // in Program::calls
  uint32_t address = 0;    // slot
  bool is_narrow = false;  // the address has 32 bits
  uint32_t counter = 0;    // in Program::counted

  static IndirectCallOp of(const Op& op) { return {op.state, op.a, (op.flags & flag_address32) != 0, op.b}; }
  void write(Op& op) const {
    op.state = site;
    op.a = address;
    if (is_narrow) op.flags |= flag_address32;
    op.b = counter;
    op.meet = 1;  // the op after it
  }
};

// Copies a parameter to local memory.
struct SpillOp {
  uint32_t base = no_slot;       // where the activation's variables begin; no_slot: at 0
  uint32_t first = 0, rows = 0;  // slot of the first row of words, and the number of rows
  uint64_t offset = 0;           // from the base

  static SpillOp of(const Op& op) { return {op.d, op.a, op.b, static_cast<uint64_t>(op.immediate)}; }
  void write(Op& op) const {
    op.d = base;
    op.a = first;
    op.b = rows;
    op.immediate = static_cast<int64_t>(offset);
  }
};

// alloca, stacksave and stackrestore.
struct StackOp {
  uint32_t result = 0;     // slot of an address; not used by stackrestore
  uint32_t operand = 0;    // slot of the bytes or the address; not used by stacksave
  uint64_t alignment = 8;  // of alloca; its own, PTX ISA 9.7.17.3
  bool is_narrow = false;  // both have 32 bits

  static StackOp of(const Op& op) {
    return {op.d, op.a, static_cast<uint64_t>(op.immediate), (op.flags & flag_address32) != 0};
  }
  void write(Op& op) const {
    op.d = result;
    op.a = operand;
    op.immediate = static_cast<int64_t>(alignment);
    if (is_narrow) op.flags |= flag_address32;
  }
};

}  // namespace warplens::program
