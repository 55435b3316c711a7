// The op that reads a clock.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"
#include "core/ptx/opcode.h"

namespace warplens::program {

struct ClockOp {
  uint32_t result = 0;  // slot, as wide as the special register
  ptx::SpecialRegister which{};
  int64_t steps = 0;  // of the basic block up to here, minus those of the whole block

  static ClockOp of(const Op& op) {
    return {op.d, static_cast<ptx::SpecialRegister>(op.extra), op.immediate};
  }
  void write(Op& op) const {
    op.d = result;
    op.extra = static_cast<uint8_t>(which);
    op.immediate = steps;
  }
};

}  // namespace warplens::program
