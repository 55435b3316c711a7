#include "core/sanitize/race_shadow.h"

#include <algorithm>

namespace warplens::sanitize {

void RacePage::refine(uint32_t to_shift) {
  const uint32_t copies = 1u << (shift - to_shift), before = cells();
  const auto spread = [&](std::unique_ptr<Access[]>& from) {
    if (from == nullptr) return;
    auto to = std::make_unique<Access[]>(size_t{before} * copies);
    for (uint32_t i = 0; i < before; ++i) std::fill_n(to.get() + size_t{i} * copies, copies, from[i]);
    from = std::move(to);
  };
  spread(write);
  spread(read[0]);
  spread(read[1]);
  shift = to_shift;
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

}  // namespace warplens::sanitize
