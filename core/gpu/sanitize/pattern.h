// What an address shape (core/gpu/exec/state/access_shape.h) means for shadow memory: which words of which
// rows its lanes access.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/exec/state/access_shape.h"

namespace warplens::sanitize {

class Pattern {
 public:
  static constexpr uint32_t lanes = 32, word_bytes = 4, row_words = 32, row_bytes = row_words * word_bytes;
  // An access that spans more bytes is checked lane by lane.
  static constexpr uint64_t most_bytes = 4096;

  explicit Pattern(const exec::AccessShape& shape);

  uint64_t low() const { return m_low; }      // the lowest address, from that of lane 0
  uint64_t width() const { return m_width; }  // all bytes, from the lowest on
  bool is_near() const { return m_width <= most_bytes; }
  // Whether no two lanes access the same word.
  bool is_disjoint() const { return m_disjoint; }
  // Whether every byte from the lowest to the highest is accessed by some lane.
  bool is_whole() const { return m_whole; }
  const std::array<uint64_t, lanes>& relative() const { return m_relative; }

  // The words of each row, starting at the row of the lowest address, whose position in that row is `place`.
  // Only for accesses that span few bytes.
  const std::vector<uint32_t>& rows_at(uint64_t place) {
    std::vector<uint32_t>& rows = m_rows[place];
    if (rows.empty()) find_rows(place, rows);
    return rows;
  }

 private:
  void find_rows(uint64_t place, std::vector<uint32_t>& rows) const;

  std::array<uint64_t, lanes> m_relative;  // to lane 0
  uint64_t m_low, m_width;
  uint32_t m_bytes;  // of a lane
  bool m_disjoint = true, m_whole = true;
  std::array<std::vector<uint32_t>, row_bytes> m_rows;
};

}  // namespace warplens::sanitize
