#include "core/gpu/sanitize/pattern.h"

#include <algorithm>

namespace warplens::sanitize {

Pattern::Pattern(const exec::AccessShape& shape)
    : m_relative(shape.relative),
      m_low(shape.low),
      m_width(shape.high - shape.low + shape.bytes),
      m_bytes(shape.bytes) {
  std::array<uint64_t, lanes> sorted = m_relative;
  std::ranges::sort(sorted, {}, [&](uint64_t address) { return address - m_low; });
  const uint64_t apart = std::max(m_bytes, word_bytes);
  for (uint32_t lane = 1; lane < lanes; ++lane) {
    m_disjoint = m_disjoint && sorted[lane] - sorted[lane - 1] >= apart;
    m_whole = m_whole && sorted[lane] - sorted[lane - 1] <= m_bytes;
  }
}

void Pattern::find_rows(uint64_t place, std::vector<uint32_t>& rows) const {
  rows.assign((place + m_width - 1) / row_bytes + 1, 0);
  for (const uint64_t lane : m_relative) {
    const uint64_t begin = place + (lane - m_low), end = begin + m_bytes;
    for (uint64_t word = begin / word_bytes; word <= (end - 1) / word_bytes; ++word)
      rows[word / row_words] |= 1u << word % row_words;
  }
}

}  // namespace warplens::sanitize
