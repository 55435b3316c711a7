#include "core/observe/cache.h"

#include <algorithm>
#include <bit>

namespace warplens::observe {

namespace {

constexpr uint64_t no_line = ~uint64_t{0};

uint64_t count(uint32_t sectors) { return static_cast<uint64_t>(std::popcount(sectors)); }

}  // namespace

SectoredCache::SectoredCache(const CacheShape& shape)
    : m_ways(std::max(1u, shape.ways)),
      m_sets(std::max<uint64_t>(1, shape.bytes / (uint64_t{std::max(32u, shape.line_bytes)} * m_ways))),
      m_tags(m_sets * m_ways, no_line),
      m_lines(m_sets * m_ways) {}

// Lines a power of two apart are spread over the sets, neighbouring lines stay evenly dealt out.
size_t SectoredCache::set_of(uint64_t line) const {
  const uint64_t above = line / m_sets;
  return (line - above * m_sets + above + above / m_sets) % m_sets;
}

size_t SectoredCache::place_of(uint64_t line, bool& there) {
  there = true;
  if (m_tags[m_last] == line) return m_last;
  const size_t first = set_of(line) * m_ways;
  const uint64_t* tags = m_tags.data() + first;
  for (size_t way = 0; way < m_ways; ++way) {
    if (tags[way] == line) return first + way;
  }
  there = false;
  size_t oldest = first;
  for (size_t way = first; way < first + m_ways; ++way) {
    if (m_lines[way].used < m_lines[oldest].used) oldest = way;
  }
  return oldest;
}

SectoredCache::Outcome SectoredCache::access(LinePart part, bool allocate, bool dirty) {
  bool there = false;
  const size_t place = place_of(part.line, there);
  Line& line = m_lines[place];
  Outcome outcome;
  if (there) outcome.hits = line.valid & part.sectors;
  const uint32_t touched = allocate ? part.sectors : outcome.hits;
  if (touched == 0) return outcome;
  if (!there) {
    outcome.written_back = static_cast<uint32_t>(std::popcount(line.dirty));
    line = {};
    m_tags[place] = part.line;
  }
  m_last = place;
  line.used = ++m_time;
  line.valid |= touched;
  if (dirty) line.dirty |= touched;
  return outcome;
}

void SectoredCache::clear() {
  std::ranges::fill(m_tags, no_line);
  std::ranges::fill(m_lines, Line{});
}

CacheHierarchy::CacheHierarchy(uint32_t sms, const CacheShape& l1, const CacheShape& l2)
    : m_l1(std::max(1u, sms), SectoredCache(l1)), m_l2(l2) {}

void CacheHierarchy::read_l2(LinePart part, bool dirty) {
  const auto outcome = m_l2.access(part, true, dirty);
  m_traffic.l2_read_sectors += count(part.sectors);
  m_traffic.l2_hit_sectors += count(outcome.hits);
  m_traffic.dram_read_sectors += count(part.sectors & ~outcome.hits);
  m_traffic.dram_written_sectors += outcome.written_back;
}

void CacheHierarchy::load(uint32_t sm, LinePart part) {
  const uint32_t hits = m_l1[sm % m_l1.size()].access(part, true, false).hits;
  m_traffic.l1_load_sectors += count(part.sectors);
  m_traffic.l1_hit_sectors += count(hits);
  if (hits != part.sectors) read_l2({part.line, part.sectors & ~hits}, false);
}

void CacheHierarchy::load_past_l1(LinePart part) {
  m_traffic.l1_load_sectors += count(part.sectors);
  read_l2(part, false);
}

void CacheHierarchy::store(uint32_t sm, LinePart part, bool local) {
  m_l1[sm % m_l1.size()].access(part, local, false);
  const auto outcome = m_l2.access(part, true, true);
  m_traffic.l2_write_sectors += count(part.sectors);
  m_traffic.l2_hit_sectors += count(outcome.hits);
  m_traffic.dram_written_sectors += outcome.written_back;
}

void CacheHierarchy::atomic(LinePart part) { read_l2(part, true); }

void CacheHierarchy::start_launch() {
  for (SectoredCache& cache : m_l1) cache.clear();
}

}  // namespace warplens::observe
