// The parts of a block's footprint that a view needs: the chosen thread's accesses, and its warp's by
// instruction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "app/views/model/access_view.h"
#include "app/views/model/thread_cost.h"

namespace warplens {

// Warp and lane of a thread.
inline uint32_t warp_of(Dim3 thread, Dim3 block) {
  return static_cast<uint32_t>(linear_index(thread, block) / warp_lanes);
}
inline uint32_t lane_of(Dim3 thread, Dim3 block) {
  return static_cast<uint32_t>(linear_index(thread, block) % warp_lanes);
}

// The accesses of a warp that come from the same instruction, for the row of chips.
struct AccessGroup {
  std::string label;            // "load rgb · line 12 ×3"
  std::vector<size_t> indices;  // indices in footprint->accesses
};
std::vector<AccessGroup> access_groups(const LaunchRequest& request, const BlockFootprint& footprint,
                                       uint32_t warp);

// One access of a warp, described so that it can be found again in the footprint of another block or run:
// what the instruction does, and which of its executions it is.
struct AccessName {
  uint32_t line = 0;  // of the source
  AccessKind kind = AccessKind::load;
  Space space = Space::global;
  int32_t buffer = -1;
  size_t order = 0;  // among the instructions for which all this is true
  size_t turn = 0;   // of the executions by the warp
  bool operator==(const AccessName&) const = default;
};
std::optional<AccessName> name_of_access(const BlockFootprint& footprint, size_t index);
// Empty if this warp has no such access.
std::optional<size_t> find_access(const BlockFootprint& footprint, uint32_t warp, const AccessName& name);

// What a frame needs from a footprint. It is made once for a footprint and a choice, because a footprint is
// long.
struct FootprintDigest {
  ThreadWork work;
  bool wrote_nothing = false;        // the thread touched memory but wrote none
  std::vector<AccessGroup> groups;   // of the chosen thread's warp, or else of the first
  std::vector<ThreadAccess> thread;  // of the chosen thread
  std::optional<ThreadCost> cost;    // of all threads, in the colouring that was asked for
};
FootprintDigest digest_of(const RunResult& result, const BlockFootprint& footprint, const Pick& chosen,
                          ThreadColouring colouring = ThreadColouring::warps);

}  // namespace warplens
