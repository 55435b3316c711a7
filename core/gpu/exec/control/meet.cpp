// Which lanes take part in a collective instruction: lanes of one path at once, or lanes of several paths
// that wait for one another.
#include <bit>

#include "core/gpu/exec/control/collective.h"

namespace warplens::exec {

namespace {

// Removes from `rest` the lanes that name the same mask as its first lane.
struct Group {
  uint32_t mask = 0, lanes = 0;
};
Group take_group(const Op* op, const Warp& warp, uint32_t& rest) {
  Group group;
  group.mask = mask_of(*op, warp, static_cast<uint32_t>(std::countr_zero(rest)));
  for (uint32_t lanes = rest; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    group.lanes |= static_cast<uint32_t>(mask_of(*op, warp, lane) == group.mask) << lane;
  }
  rest &= ~group.lanes;
  return group;
}

void perform(const Op* op, Warp& warp, uint32_t lanes) {
  Exchange exchange;
  gather(op, warp, lanes, exchange);
  combine(collective_of(*op), exchange);
  scatter(op, warp, lanes, exchange);
}

bool meets(const Path& a, const Path& b) {
  return a.at_sync && b.at_sync && a.sync_mask == b.sync_mask &&
         collective_of(*a.next) == collective_of(*b.next);
}

// Lanes at the same op with the same joins ahead continue as one path.
void merge_paths(Warp& warp) {
  for (size_t i = 0; i < warp.paths.size(); ++i) {
    for (size_t k = warp.paths.size(); k-- > i + 1;) {
      Path& path = warp.paths[i];
      const Path& other = warp.paths[k];
      if (path.next != other.next || path.join != other.join || path.at_sync || other.at_sync ||
          path.at_barrier || other.at_barrier) {
        continue;
      }
      path.mask |= other.mask;
      path.met_live |= other.met_live;
      warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

}  // namespace

const Op* meet(const Op* op, Warp& warp) {
  bool complete = true;
  for (uint32_t rest = warp.mask; rest != 0;) {
    const Group group = take_group(op, warp, rest);
    // Undefined in PTX. The H200 stops here, unless the mask is a constant in the PTX.
    if (const uint32_t outside = group.lanes & ~group.mask;
        outside != 0 && !CollectiveOp::of(*op).mask_is_constant) {
      return raise(warp, {.kind = FaultKind::not_in_mask,
                          .op = op,
                          .lane = static_cast<uint32_t>(std::countr_zero(outside)),
                          .address = group.mask,
                          .detail = {}});
    }
    complete = complete && (group.mask & warp.live & ~group.lanes) == 0;
  }
  if (!complete) {
    warp.next = op;
    warp.split_mask = warp.mask;
    warp.signal = Signal::sync;
    return nullptr;
  }
  warp.paths[warp.current].met_live = warp.live;
  // A shuffle that reads outside its mask is undefined in PTX. The H200 reads any lane that runs with it.
  if (is_shuffle(collective_of(*op))) {
    perform(op, warp, warp.mask);
    return op + 1;
  }
  for (uint32_t rest = warp.mask; rest != 0;) perform(op, warp, take_group(op, warp, rest).lanes);
  return op + 1;
}

void wait_for_lanes(Warp& warp) {
  const Op* op = warp.next;
  const Path path = warp.paths[warp.current];
  warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(warp.current));
  // Lanes whose guard is false need not wait.
  const uint32_t others = path.mask & ~warp.split_mask;
  if (others != 0) warp.paths.push_back({.next = op + 1, .mask = others, .join = path.join});
  for (uint32_t rest = warp.split_mask; rest != 0;) {
    const Group group = take_group(op, warp, rest);
    warp.paths.push_back(
        {.next = op, .mask = group.lanes, .join = path.join, .at_sync = true, .sync_mask = group.mask});
  }
  complete_groups(warp);
}

void complete_groups(Warp& warp) {
  bool completed = false;
  for (const Path& first : warp.paths) {
    if (!first.at_sync) continue;
    const Path sought = first;
    Exchange exchange;
    for (const Path& path : warp.paths) exchange.lanes |= meets(sought, path) ? path.mask : 0;
    if ((sought.sync_mask & warp.live & ~exchange.lanes) != 0) continue;
    for (const Path& path : warp.paths) {
      if (meets(sought, path)) gather(path.next, warp, path.mask, exchange);
    }
    combine(collective_of(*sought.next), exchange);
    for (Path& path : warp.paths) {
      if (!meets(sought, path)) continue;
      scatter(path.next, warp, path.mask, exchange);
      ++path.next;
      path.at_sync = false;
      path.met_live = warp.live;
    }
    completed = true;
  }
  if (completed) merge_paths(warp);
}

void raise_missing_lanes(Warp& warp) {
  const Path* first = nullptr;  // the path with the lowest lane
  for (const Path& path : warp.paths) {
    if (path.at_sync && (first == nullptr || std::countr_zero(path.mask) < std::countr_zero(first->mask)))
      first = &path;
  }
  Fault fault{.kind = FaultKind::missing_lanes,
              .op = first->next,
              .lane = static_cast<uint32_t>(std::countr_zero(first->mask)),
              .address = first->sync_mask,
              .detail = {}};
  for (const Path& path : warp.paths) {
    if (&path == first) continue;
    fault.others.push_back(
        {path.mask, path.sync_mask, path.at_sync, path.at_sync ? path.next : path.next - 1});
  }
  raise(warp, std::move(fault));
}

}  // namespace warplens::exec
