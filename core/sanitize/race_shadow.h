// Who accessed each word last: shadow memory for races, made page by page where something is touched.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/sanitize/access.h"

namespace warplens::sanitize {

// A kibibyte of memory, in cells of a word; or of half a word or a byte, once something narrower came.
struct RacePage {
  static constexpr uint32_t bytes = 1024;

  uint32_t shift = 2;  // log2 of a cell's bytes
  std::unique_ptr<Access[]> write;
  // Two readers that no later write has seen yet, of different warps or blocks where there are such: enough
  // to find that a writer races with one of them, whoever it is.
  std::array<std::unique_ptr<Access[]>, 2> read;

  uint32_t cells() const { return bytes >> shift; }
  Access* writes() { return of(write); }
  Access* reads(uint32_t which) { return of(read[which]); }
  void refine(uint32_t to_shift);

 private:
  Access* of(std::unique_ptr<Access[]>& cells_) {
    if (cells_ == nullptr) cells_ = std::make_unique<Access[]>(cells());
    return cells_.get();
  }
};

class RaceShadow {
 public:
  // The page of an access; `offset` from the start of the memory. Accesses are aligned, so one page has all.
  RacePage& page(uint64_t offset, uint32_t access_bytes) {
    const auto index = static_cast<size_t>(offset / RacePage::bytes);
    if (index >= m_pages.size()) m_pages.resize(index + 1);
    if (m_pages[index] == nullptr) m_pages[index] = std::make_unique<RacePage>();
    RacePage& found = *m_pages[index];
    if (access_bytes < 4) {
      const auto shift = static_cast<uint32_t>(std::countr_zero(access_bytes));
      if (shift < found.shift) found.refine(shift);
    }
    return found;
  }
  // Null: nothing has been there.
  RacePage* find(uint64_t offset) {
    const auto index = static_cast<size_t>(offset / RacePage::bytes);
    return index < m_pages.size() ? m_pages[index].get() : nullptr;
  }
  void clear() { m_pages.clear(); }

 private:
  std::vector<std::unique_ptr<RacePage>> m_pages;
};

// Which bytes have been written: a bit each.
class WrittenBytes {
 public:
  void clear() { m_bits.clear(); }
  void set_all(uint64_t bytes) { m_bits.assign(static_cast<size_t>(bytes / 64 + 1), ~uint64_t{0}); }
  void set(uint64_t offset, uint64_t bytes);
  // Accesses of up to 16 bytes that are aligned.
  void set_few(uint64_t offset, uint32_t bytes) {
    const auto word = static_cast<size_t>(offset / 64);
    if (word >= m_bits.size()) m_bits.resize(word + 1);
    m_bits[word] |= mask(bytes) << (offset % 64);
  }
  // A bit for each byte of the access that nobody has written.
  uint64_t missing(uint64_t offset, uint32_t bytes) const {
    const auto word = static_cast<size_t>(offset / 64);
    const uint64_t bits = word < m_bits.size() ? m_bits[word] : 0;
    return ~(bits >> (offset % 64)) & mask(bytes);
  }

 private:
  static uint64_t mask(uint32_t bytes) { return (uint64_t{1} << bytes) - 1; }
  std::vector<uint64_t> m_bits;
};

}  // namespace warplens::sanitize
