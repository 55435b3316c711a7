// The access of one warp that the Memory view shows lane by lane. It is chosen by source line or by hand.
#pragma once

#include <optional>
#include <vector>

#include "app/views/model/footprint_digest.h"

namespace warplens {

struct MemoryAccesses {
  Dim3 block{0, 0, 0};
  uint32_t warp = 0, warps = 0;
  std::vector<AccessGroup> groups;           // of the warp, or only those of the chosen line
  std::optional<AccessView> global, shared;  // the shown accesses: the chosen or else the costliest
  bool line_is_silent = false;               // the warp accesses no memory in the chosen line
};

// `line` is 0 for any line. `chosen` is an index in footprint.accesses. It is ignored if it is not of this
// warp and line.
MemoryAccesses choose_accesses(const LaunchRequest& request, const BlockFootprint& footprint,
                               Dim3 block_extent, uint32_t warp, uint32_t line, std::optional<size_t> chosen);

}  // namespace warplens
