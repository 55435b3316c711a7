#include "core/pages/pages.h"

#include <algorithm>
#include <utility>

namespace warplens::pages {

namespace {

Side other(Side side) { return side == Side::host ? Side::device : Side::host; }

// uvm_perf_prefetch_threshold: a part of the tree comes as a whole once more than this share of it is there.
constexpr size_t threshold_percent = 51;

}  // namespace

Array::Region Array::region_of(size_t unit, Side to) const {
  const size_t tree = unit / units_of_tree * units_of_tree;
  const size_t end = std::min(tree + units_of_tree, m_places.size());
  Region region{unit, unit + 1};
  for (size_t width = 2; width <= units_of_tree; width *= 2) {
    const size_t first = tree + (unit - tree) / width * width, last = std::min(first + width, end);
    const auto there = static_cast<size_t>(std::count_if(
        m_places.begin() + static_cast<ptrdiff_t>(first), m_places.begin() + static_cast<ptrdiff_t>(last),
        [&](uint8_t places) { return (places & bit(to)) != 0; }));
    const size_t size = (last - first) * pages_of_unit;
    if ((there + 1) * pages_of_unit > size * threshold_percent / 100) region = {first, last};
  }
  return region;
}

void Array::bring(Region region, Side to, const Advice& advice, Moves& moves) {
  for (size_t unit = region.first; unit < region.last; ++unit) {
    uint8_t& places = m_places[unit];
    if ((places & bit(to)) != 0) continue;
    if (places != 0) moves.bytes += unit_bytes;
    const bool stays = advice.read_mostly && places != 0;
    places = static_cast<uint8_t>(bit(to) | (stays ? places : 0));
  }
}

Moves Array::use(Side by, std::span<const Use> used, const Advice& advice) {
  const std::vector<uint8_t> before = m_places;
  Moves moves;
  for (size_t unit = 0; unit < std::min(used.size(), m_places.size()); ++unit) {
    if (used[unit].pages == 0) continue;
    uint8_t& places = m_places[unit];
    const bool is_there = (places & bit(by)) != 0;
    if (!is_there && by == Side::device && places != 0 && advice.stays_on_host) {
      moves.mapped_bytes += unit_bytes;
      continue;
    }
    if (!is_there && (by == Side::device || places != 0)) {
      ++moves.misses;
      bring(region_of(unit, by), by, advice, moves);
    }
    if (!is_there) places |= bit(by);
    // A write leaves no copy behind. The host misses each page of it, as its pages were made read-only.
    if (used[unit].writes && (places & bit(other(by))) != 0) {
      if (is_there) moves.misses += by == Side::host ? used[unit].pages : 1;
      places = bit(by);
    }
  }
  return with_changes(std::move(moves), before);
}

Moves Array::prefetch(Side to, size_t begin, size_t end, const Advice& advice) {
  const std::vector<uint8_t> before = m_places;
  Moves moves;
  bring({begin, std::min(end, m_places.size())}, to, advice, moves);
  return with_changes(std::move(moves), before);
}

Moves Array::with_changes(Moves moves, const std::vector<uint8_t>& before) const {
  for (size_t unit = 0; unit < before.size(); ++unit) {
    if (m_places[unit] == before[unit]) continue;
    const auto at = static_cast<uint32_t>(unit);
    PageRun* last = moves.changed.empty() ? nullptr : &moves.changed.back();
    if (last != nullptr && last->first + last->count == at && last->places == m_places[unit])
      ++last->count;
    else
      moves.changed.push_back({at, 1, m_places[unit]});
  }
  return moves;
}

}  // namespace warplens::pages
