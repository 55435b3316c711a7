#include "app/views/memory/accesses.h"

#include <algorithm>

namespace warplens {

namespace {

// The avoidable cost of an access: sectors, or passes over the banks.
uint32_t waste_of(const WarpAccess& access) {
  return access.space == Space::shared ? access.wavefronts
                                       : access.sectors - std::min(access.sectors, access.sectors_ideal);
}

bool is_shown_as_sectors(Space space) { return space == Space::global || space == Space::generic; }

std::optional<size_t> costliest(const BlockFootprint& footprint, const std::vector<AccessGroup>& groups,
                                bool shared) {
  std::optional<size_t> best;
  for (const AccessGroup& group : groups) {
    for (const size_t index : group.indices) {
      const WarpAccess& access = footprint.accesses[index];
      const bool fits = shared ? access.space == Space::shared : is_shown_as_sectors(access.space);
      if (fits && (!best || waste_of(access) > waste_of(footprint.accesses[*best]))) best = index;
    }
  }
  return best;
}

}  // namespace

MemoryAccesses choose_accesses(const LaunchRequest& request, const BlockFootprint& footprint,
                               Dim3 block_extent, uint32_t warp, uint32_t line,
                               std::optional<size_t> chosen) {
  MemoryAccesses accesses;
  accesses.block = footprint.block;
  accesses.warps = static_cast<uint32_t>(ceil_div(block_extent.count(), warp_lanes));
  accesses.warp = std::min(warp, std::max(1u, accesses.warps) - 1);
  accesses.groups = access_groups(request, footprint, accesses.warp);
  if (line != 0) {
    std::erase_if(accesses.groups, [&](const AccessGroup& group) {
      return footprint.accesses[group.indices.front()].source_line != line;
    });
    accesses.line_is_silent = accesses.groups.empty();
  }
  std::optional<size_t> global = costliest(footprint, accesses.groups, false);
  std::optional<size_t> shared = costliest(footprint, accesses.groups, true);
  for (const AccessGroup& group : accesses.groups) {
    if (!chosen || std::ranges::count(group.indices, *chosen) == 0) continue;
    (footprint.accesses[*chosen].space == Space::shared ? shared : global) = chosen;
  }
  if (global) accesses.global = view_access(request, footprint, *global);
  if (shared) accesses.shared = view_access(request, footprint, *shared);
  return accesses;
}

}  // namespace warplens
