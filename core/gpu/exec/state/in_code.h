// What compiled code calls where the lanes of its warp part, meet or exit. It goes on with the path that runs
// next, if that has code, and need not return for it.
#pragma once

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// Where compiled code goes on. Without code it returns null; warp.signal says why, or is none: then the paths
// are in order, and run() chooses one.
struct CodePlace {
  const Op* op = nullptr;
  const void* code = nullptr;
};

// At a branch that some of the lanes take.
CodePlace part_in_code(const Op* branch, Warp& warp) noexcept;
// After a signal: split, arrive or exit.
CodePlace go_on_in_code(Warp& warp) noexcept;

}  // namespace warplens::exec
