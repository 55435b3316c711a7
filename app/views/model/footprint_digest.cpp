#include "app/views/model/footprint_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/base/format.h"

namespace warplens {

namespace {

// The accesses of a warp by instruction, in the order in which these ran first.
std::vector<std::vector<size_t>> by_instruction(const BlockFootprint& footprint, uint32_t warp) {
  std::vector<std::vector<size_t>> groups;
  std::map<uint32_t, size_t> group_of;  // by line of the PTX text, one instruction each
  for (const size_t index : accesses_of_warp(footprint, warp)) {
    const uint32_t line = footprint.accesses[index].ptx_line;
    const auto [at, is_new] = group_of.try_emplace(line, groups.size());
    if (is_new || line == 0) {
      at->second = groups.size();
      groups.emplace_back();
    }
    groups[at->second].push_back(index);
  }
  return groups;
}

bool is_like(const WarpAccess& access, const AccessName& name) {
  return access.source_line == name.line && access.kind == name.kind && access.space == name.space &&
         access.buffer == name.buffer;
}

}  // namespace

std::optional<AccessName> name_of_access(const BlockFootprint& footprint, size_t index) {
  if (index >= footprint.accesses.size()) return std::nullopt;
  const WarpAccess& access = footprint.accesses[index];
  AccessName name{access.source_line, access.kind, access.space, access.buffer, 0, 0};
  for (const std::vector<size_t>& group : by_instruction(footprint, access.warp)) {
    const auto at = std::ranges::find(group, index);
    if (at != group.end()) {
      name.turn = static_cast<size_t>(at - group.begin());
      return name;
    }
    name.order += is_like(footprint.accesses[group.front()], name) ? 1 : 0;
  }
  return std::nullopt;
}

std::optional<size_t> find_access(const BlockFootprint& footprint, uint32_t warp, const AccessName& name) {
  size_t order = 0;
  for (const std::vector<size_t>& group : by_instruction(footprint, warp)) {
    if (!is_like(footprint.accesses[group.front()], name) || order++ != name.order) continue;
    return name.turn < group.size() ? std::optional(group[name.turn]) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<AccessGroup> access_groups(const LaunchRequest& request, const BlockFootprint& footprint,
                                       uint32_t warp) {
  std::vector<AccessGroup> groups;
  for (std::vector<size_t>& indices : by_instruction(footprint, warp)) {
    const std::string label = view_access(request, footprint, indices.front()).title;
    groups.push_back({label, std::move(indices)});
  }
  for (AccessGroup& group : groups)
    if (group.indices.size() > 1)
      group.label += fmt::format(" · {} times", with_separators(group.indices.size()));
  return groups;
}

FootprintDigest digest_of(const RunResult& result, const BlockFootprint& footprint, const Pick& chosen,
                          ThreadColouring colouring) {
  FootprintDigest digest;
  const Dim3 block = result.shape.block;
  digest.work = thread_work(footprint, block);
  digest.cost = thread_cost(footprint, colouring);
  for (size_t i = 0; i < digest.work.wrote.size(); ++i)
    digest.wrote_nothing |= digest.work.touched[i] && !digest.work.wrote[i];
  if (!result.request) return digest;
  digest.groups =
      access_groups(*result.request, footprint, chosen.thread ? warp_of(*chosen.thread, block) : 0);
  if (chosen.thread) digest.thread = accesses_of_thread(result, footprint, *chosen.thread);
  return digest;
}

}  // namespace warplens
