#include "core/recording/reach.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplens::recording {

Reach::Reach(std::vector<Extent> extents) : m_extents(std::move(extents)) {}

void Reach::scan(std::span<const std::byte> bytes) {
  if (m_extents.empty()) return;
  const uint64_t lowest = m_extents.front().begin, highest = m_extents.back().end;
  for (size_t at = 0; bytes.size() - at >= 8; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    if (word < lowest || word > highest) continue;
    // Also the end of an array, from which a kernel may go backwards.
    add_at(word);
    if (word != 0) add_at(word - 1);
  }
}

void Reach::add(size_t index) {
  if (m_found.insert(index).second) m_open.push_back(index);
}

void Reach::add_at(uint64_t address) {
  const auto behind =
      std::upper_bound(m_extents.begin(), m_extents.end(), address,
                       [](uint64_t wanted, const Extent& extent) { return wanted < extent.begin; });
  if (behind == m_extents.begin() || address >= std::prev(behind)->end) return;
  add(static_cast<size_t>(std::prev(behind) - m_extents.begin()));
}

}  // namespace warplens::recording
