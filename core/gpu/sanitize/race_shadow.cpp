#include "core/gpu/sanitize/race_shadow.h"
#include "core/base/bits.h"

#include <bit>

namespace warplens::sanitize {

namespace {}  // namespace

void Track::spread_out() {
  if (cells == nullptr) cells = std::make_unique<Access[]>(RaceRow::cells);
  std::fill_n(cells.get(), RaceRow::cells, Access{});
  for (const Part& part : parts)
    for_each_bit(part.cells, [&](uint32_t cell) { cells[cell] = part.at(cell); });
  together = false;
}

void Track::clear(uint32_t of_cells) {
  if (newest == 0) return;
  if (of_cells == ~0u) {
    newest = 0;
    together = true;
    parts = {};
  } else if (together) {
    for (Part& part : parts) part.cells &= ~of_cells;
  } else {
    for_each_bit(of_cells, [&](uint32_t cell) { cells[cell].time = 0; });
  }
}

bool Track::is_clear_by_cell(const Part& mine, Time floor) const {
  bool clear = true;
  for_each_bit(mine.cells, [&](uint32_t cell) { clear = clear && cells[cell].time < floor; });
  return clear;
}

void Track::set_some(const Part& part, Time forgotten) {
  if (together) {
    for (Part& other : parts) other.cells = other.first.time < forgotten ? 0 : other.cells & ~part.cells;
    for (Part& other : parts) {
      if (other.cells != 0) continue;
      other = part;
      return;
    }
    spread_out();
  }
  for_each_bit(part.cells, [&](uint32_t cell) { cells[cell] = part.at(cell); });
}

void RacePage::refine(uint32_t to_shift) {
  RacePage fine(to_shift);
  const uint32_t finer = shift - to_shift;
  const auto copy = [&](const Track& from, uint32_t cell, Track& to, uint32_t to_cell) {
    if (from.newest != 0) to.set(to_cell, from.at(cell));
  };
  for (uint32_t i = 0; i < fine.count() * RaceRow::cells; ++i) {
    const uint32_t old = i >> finer, cell = old % RaceRow::cells, to_cell = i % RaceRow::cells;
    const RaceRow& from = rows[old / RaceRow::cells];
    RaceRow& to = fine.rows[i / RaceRow::cells];
    copy(from.write, cell, to.write, to_cell);
    copy(from.read[0], cell, to.read[0], to_cell);
    copy(from.read[1], cell, to.read[1], to_cell);
    to.pending |= (from.pending >> cell & 1) << to_cell;
  }
  *this = std::move(fine);
}

void WrittenBytes::set(uint64_t offset, uint64_t bytes) {
  const uint64_t end = offset + bytes;
  for (uint64_t at = offset; at < end;) {
    const auto step = static_cast<uint32_t>(std::min<uint64_t>(end - at, 64 - at % 64));
    const auto word = static_cast<size_t>(at / 64);
    if (word >= m_bits.size()) m_bits.resize(word + 1);
    m_bits[word] |= (step == 64 ? ~uint64_t{0} : mask(step)) << (at % 64);
    at += step;
  }
}

bool WrittenBytes::has(uint64_t offset, uint64_t bytes) const {
  const uint64_t end = offset + bytes;
  for (uint64_t at = offset; at < end;) {
    const auto step = static_cast<uint32_t>(std::min<uint64_t>(end - at, 64 - at % 64));
    const auto word = static_cast<size_t>(at / 64);
    const uint64_t wanted = (step == 64 ? ~uint64_t{0} : mask(step)) << (at % 64);
    if (word >= m_bits.size() || (m_bits[word] & wanted) != wanted) return false;
    at += step;
  }
  return true;
}

}  // namespace warplens::sanitize
