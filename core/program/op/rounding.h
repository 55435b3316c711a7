// The op that runs the next one in another rounding mode.
#pragma once

#include "core/program/op/op.h"
#include "core/ptx/modifier.h"

namespace warplens::program {

// As a value of fesetround; to nearest even if it is none of rz, rm, rp.
int fenv_mode(ptx::Modifier rounding);

struct RoundedOp {
  int mode = 0;  // a value of fesetround

  static RoundedOp of(const Op& op) { return {static_cast<int>(op.immediate)}; }
  void write(Op& op) const { op.immediate = mode; }
};

}  // namespace warplens::program
