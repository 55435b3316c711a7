// Which access the Memory view shows lane by lane: of one warp, chosen by source line or by hand.
#pragma once

#include <optional>
#include <vector>

#include "app/model/footprint_digest.h"

namespace warplens {

struct MemoryAccesses {
  Dim3 block{0, 0, 0};
  uint32_t warp = 0, warps = 0;
  std::vector<AccessGroup> groups;           // of the warp; with a line, those of the line
  std::optional<AccessView> global, shared;  // what is shown; the costliest ones unless chosen
  bool line_is_silent = false;               // a line is chosen and this warp accesses nothing there
};

// `line` 0: any. `chosen`: in footprint.accesses; ignored where it is not of this warp and line.
MemoryAccesses choose_accesses(const LaunchRequest& request, const BlockFootprint& footprint,
                               Dim3 block_extent, uint32_t warp, uint32_t line, std::optional<size_t> chosen);

}  // namespace warplens
