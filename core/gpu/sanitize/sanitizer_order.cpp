// The events that order accesses: barriers, barrier objects in shared memory, and publications between
// blocks.
#include <algorithm>
#include <bit>

#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

void Sanitizer::arrive(const exec::Warp& warp) {
  if (warp.barrier.arrive_only) end_interval();  // it does not wait
  BlockClocks& clocks = m_shadow->clocks;
  clocks.arrive(warp.index, clocks.barrier(warp.barrier.number), tick());
}

void Sanitizer::depart(const exec::Warp& warp) {
  if (warp.barrier.arrive_only) return;
  BlockClocks& clocks = m_shadow->clocks;
  // A barrier does not wait for warps that have exited. Their accesses are finished.
  Clock& barrier = clocks.barrier(warp.barrier.number);
  for (const exec::Warp& other : m_warps) {
    if (other.live == 0) barrier.known[other.index] = tick();
  }
  clocks.depart(warp.index, barrier);
}

void Sanitizer::close(uint32_t barrier) {
  m_shadow->clocks.barrier(barrier).reset(0);
  end_or_renew_interval();
}

void Sanitizer::meet_at_object(const exec::Warp& warp, uint64_t address, bool arrives) {
  end_interval();
  BlockClocks& clocks = m_shadow->clocks;
  if (arrives) {
    clocks.arrive(warp.index, clocks.object(address), tick());
  } else {
    finish_copies_at(address);
    clocks.depart(warp.index, clocks.object(address));
  }
}

bool Sanitizer::is_ordered(const Access& earlier, const Reader& now, bool earlier_reads) const {
  if (earlier.is_pending()) return false;
  if (m_replays) return is_ordered_in_interval(earlier, now);
  if (earlier.block == now.block) {
    if (earlier.warp() == now.warp() && m_lockstep) return true;
    if (m_shadow->clocks.is_ordered(earlier, now)) return true;
  }
  return is_published(earlier, now, earlier_reads);
}

namespace {

bool covers(const std::vector<Published>& list, Time until, const Access& earlier) {
  // Rows only grow with time, so the newest known row includes the others.
  const auto after = std::upper_bound(list.begin(), list.end(), until,
                                      [](Time time, const Published& p) { return time < p.time; });
  if (after == list.begin()) return false;
  const Row& row = std::prev(after)->row;
  return earlier.warp() < row.size() && earlier.time < row[earlier.warp()];
}

}  // namespace

bool Sanitizer::is_published(const Access& earlier, const Reader& now, bool earlier_reads) const {
  const Clock& clock = m_shadow->clocks.of(now.warp());
  if (clock.acquired == 0 && clock.acquired_block == 0 && clock.acquired_reads == 0) return false;
  const auto found = m_published.find(earlier.block);
  if (found == m_published.end()) return false;
  if (earlier_reads && covers(found->second.reads, clock.acquired_reads, earlier)) return true;
  if (covers(found->second.device, clock.acquired, earlier)) return true;
  return earlier.block == now.block &&
         covers(found->second.block, std::max(clock.acquired, clock.acquired_block), earlier);
}

SyncVariable* Sanitizer::sync_variable(const Event& event, uint64_t address, bool create) {
  auto& variables = event.space == Space::shared ? m_shadow->sync : m_sync;
  if (create) return &variables[address];
  const auto found = variables.find(address);
  return found == variables.end() ? nullptr : &found->second;
}

// A strong read acquires what was published at its address. PTX also demands a fence after it, which
// programs leave out if a barrier follows. A missing fence is not found.
void Sanitizer::acquire(const Event& event) {
  Clock& clock = m_shadow->clocks.of(event.warp.index);
  for (uint32_t rest = event.mask; rest != 0; rest &= rest - 1) {
    const uint64_t address = event.addresses[std::countr_zero(rest)];
    const SyncVariable* variable = sync_variable(event, address, false);
    if (variable == nullptr) continue;
    clock.acquired = std::max(clock.acquired, variable->device);
    clock.acquired_block = std::max(clock.acquired_block, variable->block);
    clock.acquired_reads = std::max(clock.acquired_reads, variable->reads);
  }
}

// The time from which a reader that acquires it has the knowledge of the row. 0 if there is nothing to
// publish.
Time Sanitizer::publish(std::vector<Published>& list, const Row& row, Time acquired) {
  if (row.empty()) return acquired;
  Row all = row;
  if (!list.empty()) {
    for (size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], list.back().row[i]);
  }
  if (list.empty() || list.back().row != all) list.push_back({tick(), std::move(all)});
  return std::max(list.back().time, acquired);
}

void Sanitizer::publish(const Event& event) {
  const uint32_t warp = event.warp.index;
  if (event.place.releases) m_shadow->clocks.fence(warp, event.place.device_scope, tick());
  const Clock& clock = m_shadow->clocks.of(warp);
  const bool has_reads =
      clock.acquired_reads != 0 || std::ranges::any_of(clock.known, [](Time t) { return t != 0; });
  if (clock.fenced.empty() && clock.fenced_block.empty() && !has_reads) return;
  Publications& published = m_published[m_block];
  const Time device = publish(published.device, clock.fenced, clock.acquired);
  const Time block = publish(published.block, clock.fenced_block, clock.acquired_block);
  const Time reads = has_reads ? publish(published.reads, clock.known, clock.acquired_reads) : 0;
  for (uint32_t rest = event.mask; rest != 0; rest &= rest - 1) {
    SyncVariable& variable = *sync_variable(event, event.addresses[std::countr_zero(rest)], true);
    variable.device = std::max(variable.device, device);
    variable.block = std::max(variable.block, block);
    variable.reads = std::max(variable.reads, reads);
  }
}

}  // namespace warplens::sanitize
