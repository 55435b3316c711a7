#include "app/model/footprint_digest.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"

namespace warplens {

std::vector<AccessGroup> access_groups(const LaunchRequest& request, const BlockFootprint& footprint,
                                       uint32_t warp) {
  std::vector<AccessGroup> groups;
  std::vector<uint32_t> lines;  // of the PTX text: one instruction each
  for (const size_t index : accesses_of_warp(footprint, warp)) {
    const WarpAccess& access = footprint.accesses[index];
    const auto found =
        access.ptx_line == 0 ? lines.end() : std::find(lines.begin(), lines.end(), access.ptx_line);
    if (found == lines.end()) {
      lines.push_back(access.ptx_line);
      groups.push_back({view_access(request, footprint, index).title, {index}});
    } else {
      groups[static_cast<size_t>(found - lines.begin())].indices.push_back(index);
    }
  }
  for (AccessGroup& group : groups)
    if (group.indices.size() > 1)
      group.label += fmt::format(" · {} times", with_separators(group.indices.size()));
  return groups;
}

FootprintDigest digest_of(const RunResult& result, const BlockFootprint& footprint, const Pick& chosen) {
  FootprintDigest digest;
  const Dim3 block = result.shape.block;
  digest.work = thread_work(footprint, block);
  for (size_t i = 0; i < digest.work.wrote.size(); ++i)
    digest.wrote_nothing |= digest.work.touched[i] && !digest.work.wrote[i];
  if (!result.request) return digest;
  digest.groups =
      access_groups(*result.request, footprint, chosen.thread ? warp_of(*chosen.thread, block) : 0);
  if (chosen.thread) digest.thread = accesses_of_thread(result, footprint, *chosen.thread);
  return digest;
}

}  // namespace warplens
