// Shadow memory for races: the last accesses to each word. Pages are made when they are first touched.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/sanitize/access.h"

namespace warplens::sanitize {

// The accesses to the cells of a row. A part is a set of cells that neighbouring lanes accessed, represented
// by a single access. There are at most two parts; otherwise each cell has an access of its own.
struct Track {
  struct Part {
    uint32_t cells = 0;  // a bit for each
    uint8_t shift = 0;   // cell i: by thread `first` + (i >> shift); negative if the part starts after cell 0
    Access first;

    Access at(uint32_t cell) const { return {first.time, first.block, first.info + (cell >> shift)}; }
    // Whether the same threads accessed the same cells.
    bool is_by(const Access& all, uint32_t of_shift) const {
      return first.block == all.block && first.thread() == all.thread() && shift == of_shift;
    }
  };

  Time newest = 0;  // time of the newest access to any cell
  bool together = true;
  std::array<Part, 2> parts;
  std::unique_ptr<Access[]> cells;

  Access at(uint32_t cell) const {
    if (!together) return cells[cell];
    for (const Part& part : parts)
      if ((part.cells >> cell & 1) != 0) return part.at(cell);
    return {};
  }
  Access* spread() {
    if (together) spread_out();
    return cells.get();
  }
  // Accesses older than `forgotten` are not needed any more.
  void set(const Part& part, Time forgotten) {
    newest = std::max(newest, part.first.time);
    if (part.cells == ~0u) {
      together = true;
      parts = {part, {}};
    } else {
      set_some(part, forgotten);
    }
  }
  void set(uint32_t cell, const Access& access) {
    spread()[cell] = access;
    newest = std::max(newest, access.time);
  }
  // Removes the accesses to these cells.
  void clear(uint32_t of_cells);
  void spread_out();
  // Whether nothing in these cells can conflict with the access: all accesses are older, or by the same
  // threads.
  bool is_clear(const Part& mine, Time floor) const {
    if (newest < floor) return true;
    if (!together) return is_clear_by_cell(mine, floor);
    for (const Part& part : parts)
      if ((part.cells & mine.cells) != 0 && part.first.time >= floor && !part.is_by(mine.first, mine.shift))
        return false;
    return true;
  }

 private:
  bool is_clear_by_cell(const Part& mine, Time floor) const;
  void set_some(const Part& part, Time forgotten);
};

// A row has as many cells as a warp has lanes.
struct RaceRow {
  static constexpr uint32_t cells = 32;

  Track write;
  // Two readers after the last write, of different warps or blocks if there are such. Two are enough to find
  // that any writer races with one of them.
  std::array<Track, 2> read;
  uint32_t pending = 0;  // cells that an asynchronous copy writes

  // Cells whose two readers are in different warps of one block, and not older than `settled_since`. A read
  // by a third warp changes nothing; a read by a warp in `named` may.
  uint32_t settled = 0, named = 0;
  Time settled_since = 0;
  uint32_t settled_block = 0;
  // Cells that one warp has read. Its further reads need not be recorded until it has synchronised with
  // others.
  uint32_t seen = 0;
  Access seen_by;
  Time seen_floor = 0;

  // Updates the sets above: the readers of the cell are now `a` and `b`, after `mine` has read. `enough`: if
  // one of them is of the warp of `mine`, a further read by that warp changes nothing. No other warp's access
  // since `told` is ordered before what the warp of `mine` does now.
  void settle(uint32_t cell, const Access& a, const Access& b, const Access& mine, Time floor, Time told,
              bool enough) {
    const uint32_t bit = 1u << cell;
    forget(bit);
    if (a.time < floor || b.time < floor || a.is_strong()) return;
    const auto by_me = [&](const Access& reader) {
      return reader.time == mine.time && reader.block == mine.block && reader.warp() == mine.warp();
    };
    if (enough && (by_me(a) || by_me(b))) {
      if (!is_seen_by(mine, floor)) seen = 0;
      seen |= bit;
      seen_by = mine;
      seen_floor = floor;
    }
    if (a.block != b.block || a.warp() == b.warp() || a.time < told || b.time < told) return;
    if (settled_since < told || settled_block != a.block) settled = 0;
    if (settled == 0) {
      settled_since = UINT32_MAX;
      settled_block = a.block;
      named = 0;
    }
    settled |= bit;
    settled_since = std::min({settled_since, a.time, b.time});
    named |= 1u << a.warp() | 1u << b.warp();
  }
  void forget(uint32_t of_cells) {
    settled &= ~of_cells;
    seen &= ~of_cells;
  }
  bool is_seen_by(const Access& reader, Time floor) const {
    return seen_by.time == reader.time && seen_by.block == reader.block && seen_by.warp() == reader.warp() &&
           seen_floor == floor;
  }
  // The cells for which a read by `reader` changes nothing. `told`: as for settle().
  uint32_t quiet_for(const Access& reader, Time floor, Time told) const {
    uint32_t quiet = is_seen_by(reader, floor) ? seen : 0;
    if (settled_since >= told && settled_block == reader.block && (named >> reader.warp() & 1) == 0)
      quiet |= settled;
    return quiet;
  }
};

// One KiB of memory, in cells of a 4-byte word. After a narrower access the cells are half-words or bytes.
struct RacePage {
  static constexpr uint32_t bytes = 1024;

  uint32_t shift = 2;  // log2 of a cell's bytes
  std::unique_ptr<RaceRow[]> rows;

  explicit RacePage(uint32_t cell_shift) : shift(cell_shift), rows(std::make_unique<RaceRow[]>(count())) {}
  uint32_t count() const { return bytes / RaceRow::cells >> shift; }
  uint32_t cell_of(uint64_t offset) const { return static_cast<uint32_t>(offset % bytes) >> shift; }
  RaceRow& row_of(uint64_t offset) { return rows[cell_of(offset) / RaceRow::cells]; }
  void refine(uint32_t to_shift);
};

class RaceShadow {
 public:
  // The page of an access. `offset` is from the start of the memory. Accesses are aligned, so they are
  // within one page.
  RacePage& page(uint64_t offset, uint32_t access_bytes) {
    const auto index = static_cast<size_t>(offset / RacePage::bytes);
    if (index >= m_pages.size()) m_pages.resize(index + 1);
    const uint32_t shift = access_bytes < 4 ? static_cast<uint32_t>(std::countr_zero(access_bytes)) : 2;
    if (m_pages[index] == nullptr) m_pages[index] = std::make_unique<RacePage>(shift);
    RacePage& found = *m_pages[index];
    if (shift < found.shift) found.refine(shift);
    return found;
  }
  // Null if nothing was accessed there.
  RacePage* find(uint64_t offset) {
    const auto index = static_cast<size_t>(offset / RacePage::bytes);
    return index < m_pages.size() ? m_pages[index].get() : nullptr;
  }
  void clear() { m_pages.clear(); }

 private:
  std::vector<std::unique_ptr<RacePage>> m_pages;
};

// The bytes that have been written: a bit for each. A byte to which an undefined value was stored, such as
// the padding of a structure that is copied whole, is not written; it is known as undefined.
class WrittenBytes {
 public:
  void clear() {
    m_bits.clear();
    m_undefined.clear();
  }
  void set(uint64_t offset, uint64_t bytes);
  // Marks bytes as written. For aligned accesses of up to 16 bytes.
  void set_few(uint64_t offset, uint32_t bytes) {
    const auto word = static_cast<size_t>(offset / 64);
    if (word >= m_bits.size()) m_bits.resize(word + 1);
    m_bits[word] |= mask(bytes) << (offset % 64);
  }
  // The bytes of these bits hold an undefined value. The access is aligned, and has up to 16 bytes.
  void take_back(uint64_t offset, uint64_t bits) {
    const auto word = static_cast<size_t>(offset / 64);
    if (word < m_bits.size()) m_bits[word] &= ~(bits << (offset % 64));
    if (word >= m_undefined.size()) m_undefined.resize(word + 1);
    m_undefined[word] |= bits << (offset % 64);
  }
  // Of the bytes that were never written, those to which an undefined value was stored.
  uint64_t undefined(uint64_t offset, uint64_t missing) const {
    const auto word = static_cast<size_t>(offset / 64);
    return word < m_undefined.size() ? m_undefined[word] >> (offset % 64) & missing : 0;
  }
  // Whether all of it has been written.
  bool has(uint64_t offset, uint64_t bytes) const;
  // A bit for each byte of the access that was never written.
  uint64_t missing(uint64_t offset, uint32_t bytes) const {
    const auto word = static_cast<size_t>(offset / 64);
    const uint64_t bits = word < m_bits.size() ? m_bits[word] : 0;
    return ~(bits >> (offset % 64)) & mask(bytes);
  }

 private:
  static uint64_t mask(uint32_t bytes) { return (uint64_t{1} << bytes) - 1; }
  std::vector<uint64_t> m_bits, m_undefined;
};

}  // namespace warplens::sanitize
