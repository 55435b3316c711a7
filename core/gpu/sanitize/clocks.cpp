#include "core/gpu/sanitize/clocks.h"
#include "core/base/bits.h"

#include <algorithm>
#include <bit>

namespace warplens::sanitize {

namespace {

void raise_to(Row& row, const Row& other) {
  if (row.size() < other.size()) row.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) row[i] = std::max(row[i], other[i]);
}

}  // namespace

void Clock::reset(size_t warps) {
  known.assign(warps, 0);
  fenced.clear();
  fenced_block.clear();
  acquired = acquired_block = acquired_reads = 0;
}

void Clock::join(const Clock& other) {
  raise_to(known, other.known);
  raise_to(fenced, other.fenced);
  raise_to(fenced_block, other.fenced_block);
  acquired = std::max(acquired, other.acquired);
  acquired_block = std::max(acquired_block, other.acquired_block);
  acquired_reads = std::max(acquired_reads, other.acquired_reads);
}

void BlockClocks::start(size_t warps, Time now) {
  m_begin = now;
  m_warps.resize(warps);
  for (Clock& clock : m_warps) clock.reset(warps);
  m_safe.assign(warps, now);
  m_told.assign(warps, now);
  m_epoch.assign(warps, now);
  m_arrival.assign(warps, {});
  m_pairs.clear();
  m_pairs.resize(warps);
  for (Clock& clock : m_barriers) clock.reset(0);
  m_objects.clear();
}

void BlockClocks::note_safe(uint32_t warp) {
  const Row& known = m_warps[warp].known;
  m_safe[warp] = std::max(m_begin, *std::min_element(known.begin(), known.end()));
  for (size_t other = 0; other < known.size(); ++other)
    if (other != warp) m_told[warp] = std::max(m_told[warp], known[other]);
}

void BlockClocks::arrive(uint32_t warp, Clock& barrier, Time now) {
  // The whole warp arrives, so its lanes are ordered with one another too.
  m_warps[warp].known[warp] = m_epoch[warp] = now;
  barrier.join(m_warps[warp]);
}

void BlockClocks::depart(uint32_t warp, const Clock& barrier) {
  m_warps[warp].join(barrier);
  note_safe(warp);
}

void BlockClocks::come(uint32_t warp, uint32_t lanes, Time now) {
  m_epoch[warp] = now;
  for_each_bit(lanes, [&](uint32_t lane) { m_arrival[warp][lane] = now; });
}

void BlockClocks::meet(uint32_t warp, uint32_t lanes, uint32_t mask, uint32_t live) {
  if ((live & ~(lanes & mask)) == 0) {
    // The whole warp, at one place.
    Time& known = m_warps[warp].known[warp];
    for_each_bit(lanes, [&](uint32_t lane) { known = std::max(known, m_arrival[warp][lane]); });
    note_safe(warp);
    return;
  }
  if (m_pairs[warp] == nullptr) m_pairs[warp] = std::make_unique<LanePairs>();
  LanePairs& pairs = *m_pairs[warp];
  std::array<Time, 32> all{};
  for_each_bit(mask & live, [&](uint32_t lane) {
    for (uint32_t i = 0; i < 32; ++i) all[i] = std::max(all[i], pairs[lane][i]);
    all[lane] = std::max(all[lane], m_arrival[warp][lane]);
  });
  for_each_bit(lanes & mask, [&](uint32_t lane) {
    for (uint32_t i = 0; i < 32; ++i) pairs[lane][i] = std::max(pairs[lane][i], all[i]);
  });
}

void BlockClocks::fence(uint32_t warp, bool device, Time now) {
  m_epoch[warp] = now;
  Clock& clock = m_warps[warp];
  Row row = clock.known;
  row[warp] = now;
  raise_to(clock.fenced_block, row);
  if (device) raise_to(clock.fenced, row);
}

}  // namespace warplens::sanitize
