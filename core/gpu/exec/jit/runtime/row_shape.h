// How many lanes of a warp lie side by side in x, which is how far a value can grow by the same number from
// lane to lane.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// The rows of a warp: one, two of half a warp, or four of a quarter.
struct RowShape {
  uint8_t lanes = warp_lanes;  // of a row
  bool alike = false;          // all rows begin with the same number; of one row: false

  bool is_whole() const { return lanes == warp_lanes; }
  uint32_t rows() const { return warp_lanes / lanes; }
  // How many first lanes say all of it.
  uint32_t firsts() const { return alike ? 1 : rows(); }
  bool operator==(const RowShape&) const = default;
};

}  // namespace warplens::exec
