#include "core/gpu/exec/control/barrier.h"

#include <fmt/format.h>

#include <bit>

#include "core/gpu/exec/state/parted.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec {

namespace {

uint32_t first_lane(uint32_t mask) { return static_cast<uint32_t>(std::countr_zero(mask)); }

// The next op of a waiting path is the one after the barrier.
const Op* barrier_op(const Path& path) { return path.next - 1; }

bool differs(const Warp& warp, uint32_t slot, uint32_t lanes, uint32_t value) {
  const uint32_t* values = warp.reg<uint32_t>(slot);
  uint32_t different = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    different |= (lanes >> lane & 1) * (values[lane] ^ value);
  }
  return different != 0;
}

// The operands of a path's barrier: those of its first lane, for all lanes.
BarrierWait asked_by(const Warp& warp, const Path& path) {
  const Op* op = barrier_op(path);
  const BarrierOp barrier = BarrierOp::of(*op);
  const uint32_t lane = first_lane(path.mask);
  return {.number = warp.reg<uint32_t>(barrier.number)[lane],
          .threads = barrier.threads == no_slot ? 0 : warp.reg<uint32_t>(barrier.threads)[lane],
          .op = op,
          .arrive_only = barrier.kind == BarrierKind::arrive};
}

bool is_possible(const Warp& warp, const Path& path, const BarrierWait& wait) {
  const BarrierOp barrier = BarrierOp::of(*wait.op);
  if (barrier.are_constants) return true;  // the parser has checked the numbers
  if (differs(warp, barrier.number, path.mask, wait.number)) return false;
  if (wait.number >= barriers_per_block) return false;
  if (barrier.threads == no_slot) return true;
  if (wait.threads == 0 && wait.arrive_only) return false;
  return wait.threads % warp_lanes == 0 && !differs(warp, barrier.threads, path.mask, wait.threads);
}

std::string what_is_wrong(const BarrierWait& wait) {
  if (wait.number >= barriers_per_block)
    return fmt::format("names barrier {}; a block has the barriers 0 to 15.", wait.number);
  if (wait.arrive_only && wait.threads == 0)
    return fmt::format("comes to barrier {} with a number of 0 threads; name at least 32.", wait.number);
  if (wait.threads % warp_lanes != 0) {
    return fmt::format(
        "comes to barrier {} with a number of {} threads; warps come as a whole, so it must be a multiple of "
        "32.",
        wait.number, wait.threads);
  }
  return "names another barrier, or another number of threads, than other lanes of its warp; a warp comes to "
         "one barrier as a whole.";
}

WarpState refuse(Warp& warp, const Path& path, const BarrierWait& wait) {
  raise(warp, {.kind = FaultKind::invalid_barrier,
               .op = wait.op,
               .lane = first_lane(path.mask),
               .detail = what_is_wrong(wait)});
  return WarpState::fault;
}

Fault divergence_of(const Warp& warp) {
  const Path& path = warp.paths.front();
  return {.kind = FaultKind::barrier_divergence,
          .op = barrier_op(path),
          .lane = first_lane(path.mask),
          .address = warp.live & ~path.mask,
          .detail = {}};
}

WarpState diverges(Warp& warp) {
  raise(warp, divergence_of(warp));
  return WarpState::fault;
}

// As above, where such a warp may pass.
void note_parted(const Warp& warp) {
  PartedWarps& parted = *warp.block->parted;
  const Dim3 at = warp.block->block_position, grid = warp.block->grid_extent;
  const uint64_t place = at.x + uint64_t{grid.x} * (at.y + uint64_t{grid.y} * at.z);
  if (place >= parted.place.load(std::memory_order_relaxed)) return;
  const std::scoped_lock lock(parted.mutex);
  if (place >= parted.place) return;
  parted.fault = divergence_of(warp);
  parted.fault.warp = warp.index;
  parted.fault.active = warp.paths.front().mask;
  parted.block = at;
  parted.place = place;
}

// Lanes that wait for the others of their warp only to exit together. They count as exited.
uint32_t leaving_lanes(const Warp& warp) {
  uint32_t lanes = 0;
  for (const Join& join : warp.joins)
    if (join.op != nullptr && join.arrived != 0 && program::only_exits(*join.op)) lanes |= join.arrived;
  return lanes;
}

// Merges paths that arrived one after the other, at the same op and with the same joins ahead.
void merge_arrivals(Warp& warp) {
  for (size_t i = warp.paths.size(); i-- > 1;) {
    Path& first = warp.paths[0];
    const Path& path = warp.paths[i];
    if (path.join != first.join || path.next != first.next) continue;
    first.mask |= path.mask;
    warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// The predicates that the lanes pass to a bar.red. Lanes that have exited add nothing.
void add_predicates(const Warp& warp, BarrierWait& wait) {
  for (const Path& path : warp.paths) {
    const Op& op = *barrier_op(path);
    const uint32_t predicate = taken_by(op, warp.predicate(BarrierOp::of(op).predicate));
    wait.yes |= predicate & path.mask;
    wait.no |= ~predicate & path.mask;
  }
}

}  // namespace

bool is_at_barrier(Warp& warp) {
  uint32_t waiting = 0;
  bool aligned = false;
  for (const Path& path : warp.paths) {
    if (path.at_sync) return false;
    waiting |= path.mask;
    aligned = aligned || BarrierOp::of(*barrier_op(path)).aligned;
  }
  if (waiting == warp.live) return true;
  if (!aligned || (waiting | leaving_lanes(warp)) == warp.live) return false;
  if (warp.block->parted == nullptr) return true;
  note_parted(warp);
  return false;
}

WarpState come_to_barrier(Warp& warp) {
  const BarrierWait first = asked_by(warp, warp.paths.front());
  const BarrierOp first_op = BarrierOp::of(*first.op);
  if (warp.paths.front().mask == warp.live && first_op.are_constants && !reduces(first_op.kind)) {
    warp.barrier = first;
    return WarpState::barrier;
  }
  uint32_t waiting = 0;
  for (const Path& path : warp.paths) {
    waiting |= path.mask;
    const BarrierWait wait = asked_by(warp, path);
    const BarrierOp op = BarrierOp::of(*wait.op);
    // One warp is at two barriers: an H200 hangs there too.
    if ((op.aligned || first_op.aligned) && wait.op != first.op) return diverges(warp);
    if (!is_possible(warp, path, wait)) return refuse(warp, path, wait);
    if (wait.number != first.number || wait.threads != first.threads || op.kind != first_op.kind)
      return diverges(warp);
  }
  if (waiting != warp.live) return diverges(warp);
  warp.barrier = first;
  if (reduces(first_op.kind)) add_predicates(warp, warp.barrier);
  merge_arrivals(warp);
  return WarpState::barrier;
}

bool Barriers::arrive(const BarrierWait& wait) {
  Barrier& barrier = m_barriers[wait.number];
  const bool reduces = program::reduces(BarrierOp::of(*wait.op).kind);
  if (barrier.arrived == 0) {
    barrier.wanted = wait.threads;
    barrier.reduces = reduces;
  }
  if (reduces != barrier.reduces) return false;
  m_waiting |= 1u << wait.number;
  barrier.arrived += warp_lanes;
  if (!reduces) return true;
  barrier.yes += static_cast<uint32_t>(std::popcount(wait.yes));
  barrier.all = barrier.all && wait.no == 0;
  barrier.any = barrier.any || wait.yes != 0;
  return true;
}

bool Barriers::is_open(uint32_t number, uint32_t running) const {
  const Barrier& barrier = m_barriers[number];
  return barrier.arrived != 0 && barrier.arrived >= (barrier.wanted != 0 ? barrier.wanted : running);
}

void Barriers::close(uint32_t number) {
  m_barriers[number] = {};
  m_waiting &= ~(1u << number);
}

void Barriers::release(Warp& warp) const {
  const Barrier& barrier = m_barriers[warp.barrier.number];
  for (Path& path : warp.paths) {
    path.at_barrier = false;
    const BarrierOp op = BarrierOp::of(*barrier_op(path));
    if (op.kind == BarrierKind::popc) {
      for (uint32_t lanes = path.mask; lanes != 0; lanes &= lanes - 1)
        warp.reg<uint32_t>(op.result)[first_lane(lanes)] = barrier.yes;
    } else if (reduces(op.kind)) {
      const bool verdict = op.kind == BarrierKind::all ? barrier.all : barrier.any;
      uint32_t& result = warp.predicate(op.result);
      result = (result & ~path.mask) | (verdict ? path.mask : 0);
    }
  }
}

}  // namespace warplens::exec
