#include "core/gpu/observe/cache.h"

#include <algorithm>
#include <bit>

namespace warplens::observe {

namespace {

constexpr uint64_t ways_in_order = 0xfedc'ba98'7654'3210;
constexpr uint64_t one_each = 0x1111'1111'1111'1111;

// The position of this way in the order.
uint32_t rank_of(uint64_t order, uint32_t way) {
  const uint64_t different = order ^ way * one_each;  // zero there
  return static_cast<uint32_t>(std::countr_zero((different - one_each) & ~different & 8 * one_each)) / 4;
}

// The order with this way at the front; those before it move back by one.
uint64_t used_now(uint64_t order, uint32_t way) {
  const uint32_t shift = 4 * rank_of(order, way);
  const uint64_t before = (uint64_t{1} << shift) - 1;
  const uint64_t moved = before << 4 | 0xf;
  return (order & ~moved) | (order & before) << 4 | way;
}

constexpr uint64_t byte_each = 0x0101'0101'0101'0101;

// Eight bits in which the lines of a set differ (the golden ratio spreads them).
uint64_t mark_of(uint64_t line) { return line * 0x9e37'79b9'7f4a'7c15 >> 56; }

struct Quotient {
  uint64_t whole, rest;
};
// A division by multiplication. The estimate is at most one too small.
Quotient divide(uint64_t value, uint64_t by, uint64_t reciprocal) {
  __extension__ using Wide = unsigned __int128;
  const auto whole = static_cast<uint64_t>(Wide{value} * reciprocal >> 64);
  const uint64_t rest = value - whole * by;
  return rest >= by ? Quotient{whole + 1, rest - by} : Quotient{whole, rest};
}

// Counts four bits with a table: the baseline instruction set has no instruction for it.
uint32_t count(uint32_t sectors) { return static_cast<uint32_t>(0x4332322132212110u >> 4 * sectors & 0xf); }

}  // namespace

SectoredCache::SectoredCache(const CacheShape& shape)
    : m_ways(std::clamp(shape.ways, 1u, most_ways)),
      m_sets(std::max<uint64_t>(1, shape.bytes / (uint64_t{std::max(32u, shape.line_bytes)} * m_ways))),
      m_reciprocal(m_sets == 1 ? UINT64_MAX : static_cast<uint64_t>(-m_sets) / m_sets + 1),
      m_content(m_sets) {}

// Spreads lines that are a power of two apart over the sets. Neighbouring lines stay evenly distributed.
size_t SectoredCache::set_of(uint64_t line) const {
  const Quotient first = divide(line, m_sets, m_reciprocal);
  const Quotient second = divide(first.whole, m_sets, m_reciprocal);
  return divide(first.rest + second.rest + second.whole, m_sets, m_reciprocal).rest;
}

SectoredCache::Place SectoredCache::place_of(uint64_t line) {
  Memo& memo = m_memos[line % memos];
  Set& set = m_content[memo.set];
  if (set.tags[memo.way] == line + 1) return {&set, memo.way, true};
  return look_up(line, memo);
}

SectoredCache::Place SectoredCache::look_up(uint64_t line, Memo& memo) {
  const size_t number = set_of(line);
  memo.set = static_cast<uint32_t>(number);
  Set& set = m_content[number];
  const uint64_t mark = mark_of(line) * byte_each;
  for (uint32_t half = 0; half < set.marks.size(); ++half) {
    // Finds the equal bytes, and possibly also bytes above them that differ.
    const uint64_t different = set.marks[half] ^ mark;
    for (uint64_t equal = (different - byte_each) & ~different & 0x80 * byte_each; equal != 0;
         equal &= equal - 1) {
      const uint32_t way = 8 * half + static_cast<uint32_t>(std::countr_zero(equal)) / 8;
      if (set.tags[way] != line + 1) continue;
      memo.way = way;
      return {&set, way, true};
    }
  }
  const uint64_t order = set.order ^ ways_in_order;
  memo.way = static_cast<uint32_t>(order >> 4 * (m_ways - 1) & 0xf);
  return {&set, memo.way, false};
}

SectoredCache::Outcome SectoredCache::access(LinePart part, bool allocate, bool dirty) {
  const auto [set, way, there] = place_of(part.line);
  uint8_t& state = set->state[way];
  Outcome outcome;
  if (there) outcome.hits = state & part.sectors;
  const uint32_t touched = allocate ? part.sectors : outcome.hits;
  if (touched == 0) return outcome;
  if (!there) {
    outcome.written_back = count(static_cast<uint32_t>(state) >> most_sectors);
    state = 0;
    set->tags[way] = part.line + 1;
    uint64_t& marks = set->marks[way / 8];
    marks = (marks & ~(uint64_t{0xff} << way % 8 * 8)) | mark_of(part.line) << way % 8 * 8;
  }
  m_used = true;
  const uint64_t order = set->order ^ ways_in_order;
  if ((order & 0xf) != way) set->order = used_now(order, way) ^ ways_in_order;
  state |= static_cast<uint8_t>(touched | (dirty ? touched << most_sectors : 0));
  return outcome;
}

void SectoredCache::clear() {
  if (m_used) std::ranges::fill(m_content, Set{});
  m_used = false;
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
  const uint32_t hits = m_l1[sm].access(part, true, false).hits;
  m_traffic.l1_load_sectors += count(part.sectors);
  m_traffic.l1_hit_sectors += count(hits);
  if (hits != part.sectors) read_l2({part.line, part.sectors & ~hits}, false);
}

void CacheHierarchy::load_past_l1(LinePart part) {
  m_traffic.l1_load_sectors += count(part.sectors);
  read_l2(part, false);
}

void CacheHierarchy::store(uint32_t sm, LinePart part, bool local) {
  m_l1[sm].access(part, local, false);
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
