// What machine code depends on apart from its program: which observers are attached to the run.
#pragma once

#include <cstddef>
#include <optional>

#include "core/gpu/exec/jit/runtime/row_shape.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/program.h"

namespace warplens::exec {

// The number of lanes of each whole warp that are neighbours in x. Empty if they are too few.
inline std::optional<RowShape> rows_of_warps(Dim3 block) {
  if (block.x % warp_lanes == 0 || (block.y == 1 && block.z == 1)) return RowShape{};
  for (const uint8_t lanes : {uint8_t{16}, uint8_t{8}})
    if (block.x % lanes == 0) return RowShape{lanes, block.x == lanes};
  return {};
}

// The observers of a run, as far as its code has to know them.
struct Observers {
  bool counts;            // memory accesses are counted
  bool recorded = false;  // there is a recorder or a watch
  bool traced = false;    // a copy of the program runs, and each of its instructions is noted
  // The recorder gets all accesses to the space, so handlers run them.
  bool global = false, shared = false;
  std::optional<RowShape> rows;  // of threads side by side in x
  bool has_short_warps;          // the block's last warp has fewer than 32 lanes

  Observers(bool count_memory, Dim3 block)
      : counts(count_memory), rows(rows_of_warps(block)), has_short_warps(block.count() % warp_lanes != 0) {}
  size_t number() const {
    return size_t{counts} | size_t{recorded} << 1 | size_t{global} << 2 | size_t{shared} << 3 |
           size_t{rows ? rows->rows() : 0} << 4 | size_t{rows && rows->alike} << 7 |
           size_t{has_short_warps} << 8;
  }
};

// Whether somebody sees lanes part and meet, and warps come to barriers.
inline bool is_watched(const Observers& observers, const program::Program& program) {
  return observers.recorded || observers.traced || program.watching != program::Watching::nothing;
}

}  // namespace warplens::exec
