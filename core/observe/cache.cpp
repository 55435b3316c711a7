#include "core/observe/cache.h"

#include <algorithm>
#include <bit>

namespace warplens::observe {

SectoredCache::SectoredCache(const CacheShape& shape)
    : m_ways(std::max(1u, shape.ways)),
      m_sectors_per_line(std::clamp(shape.line_bytes / 32, 1u, 8u)),
      m_sets(std::max<uint64_t>(1, shape.bytes / (uint64_t{m_sectors_per_line} * 32 * m_ways))),
      m_lines(m_sets * m_ways) {}

SectoredCache::Line* SectoredCache::find(uint64_t tag, Line*& oldest) {
  // Lines a power of two apart are spread over the sets, neighbouring lines stay evenly dealt out.
  const uint64_t index = (tag + tag / m_sets + tag / m_sets / m_sets) % m_sets;
  Line* set = m_lines.data() + index * m_ways;
  oldest = set;
  for (Line* line = set; line != set + m_ways; ++line) {
    if (line->used != 0 && line->tag == tag) return line;
    if (line->used < oldest->used) oldest = line;
  }
  return nullptr;
}

SectoredCache::Outcome SectoredCache::access(uint64_t sector, bool allocate, bool dirty) {
  const uint64_t tag = sector / m_sectors_per_line;
  const auto bit = static_cast<uint8_t>(1u << (sector % m_sectors_per_line));
  Outcome outcome;
  Line* oldest = nullptr;
  Line* line = find(tag, oldest);
  outcome.hit = line != nullptr && (line->valid & bit) != 0;
  if (!outcome.hit && !allocate) return outcome;
  if (line == nullptr) {
    line = oldest;
    outcome.written_back = static_cast<uint32_t>(std::popcount(line->dirty));
    *line = Line{.tag = tag};
  }
  line->used = ++m_time;
  line->valid |= bit;
  if (dirty) line->dirty |= bit;
  return outcome;
}

void SectoredCache::clear() { std::ranges::fill(m_lines, Line{}); }

CacheHierarchy::CacheHierarchy(uint32_t sms, const CacheShape& l1, const CacheShape& l2)
    : m_l1(std::max(1u, sms), SectoredCache(l1)), m_l2(l2) {}

void CacheHierarchy::read_l2(uint64_t sector, bool dirty) {
  ++m_traffic.l2_read_sectors;
  const auto outcome = m_l2.access(sector, true, dirty);
  m_traffic.l2_hit_sectors += outcome.hit;
  m_traffic.dram_read_sectors += !outcome.hit;
  m_traffic.dram_written_sectors += outcome.written_back;
}

void CacheHierarchy::load(uint32_t sm, uint64_t sector) {
  ++m_traffic.l1_load_sectors;
  const bool hit = m_l1[sm % m_l1.size()].access(sector, true, false).hit;
  m_traffic.l1_hit_sectors += hit;
  if (!hit) read_l2(sector, false);
}

void CacheHierarchy::load_past_l1(uint64_t sector) {
  ++m_traffic.l1_load_sectors;
  read_l2(sector, false);
}

void CacheHierarchy::store(uint32_t sm, uint64_t sector, bool local) {
  m_l1[sm % m_l1.size()].access(sector, local, false);
  ++m_traffic.l2_write_sectors;
  const auto outcome = m_l2.access(sector, true, true);
  m_traffic.l2_hit_sectors += outcome.hit;
  m_traffic.dram_written_sectors += outcome.written_back;
}

void CacheHierarchy::atomic(uint64_t sector) { read_l2(sector, true); }

void CacheHierarchy::start_launch() {
  for (SectoredCache& cache : m_l1) cache.clear();
}

}  // namespace warplens::observe
