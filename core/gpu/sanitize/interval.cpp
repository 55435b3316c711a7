#include "core/gpu/sanitize/interval.h"

namespace warplens::sanitize {

bool Interval::add(const Noted& access, const exec::Op& op, uint32_t mask, const uint64_t* addresses,
                   uint64_t shared_bytes) {
  if (m_noted.size() >= most_noted || m_others.size() >= most_others) return false;
  make_room(shared_bytes);
  const bool is_load = access.kind == AccessKind::load;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t begin = addresses[std::countr_zero(rest)], end = begin + op.bytes;
    for (uint64_t word = begin / Pattern::word_bytes; word * Pattern::word_bytes < end; ++word) {
      const auto row = static_cast<size_t>(word / Pattern::row_words);
      const uint32_t bit = 1u << word % Pattern::row_words;
      Words& words = m_rows[row];
      // This includes lanes of the same access. The rest of it does not matter then, since everything is
      // compared next.
      if (((is_load ? words.written : words.written | words.read) & bit) != 0) return false;
      (is_load ? words.read : words.written) |= bit;
      m_used = std::max(m_used, row + 1);
    }
  }
  NotedLanes& lanes = m_others.emplace_back(NotedLanes{op, mask, {}});
  std::copy_n(addresses, warp_lanes, lanes.addresses.begin());
  m_noted.push_back(access);
  m_noted.back().first = m_others.size() - 1;
  return true;
}

}  // namespace warplens::sanitize
