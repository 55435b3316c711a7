// What code depends on beside its program: who looks at the run.
#pragma once

#include <cstddef>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// Who looks at a run, as far as its code has to know.
struct Lookers {
  bool counts;            // of memory accesses
  bool recorded = false;  // there is a recorder or a watch
  bool traced = false;    // what runs is the copy of a program, of which each instruction is noted
  // The recorder hears of all accesses to the space: their handlers run them.
  bool global = false, shared = false;
  // The lanes of each whole warp are threads side by side in x.
  bool in_rows;

  Lookers(bool count_memory, Dim3 block)
      : counts(count_memory), in_rows(block.x % warp_lanes == 0 || (block.y == 1 && block.z == 1)) {}
  size_t number() const {
    return size_t{counts} | size_t{recorded} << 1 | size_t{global} << 2 | size_t{shared} << 3 |
           size_t{in_rows} << 4;
  }
};

}  // namespace warplens::exec
