// Registers of the frame that share bytes.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace warplens::exec::jit {

constexpr uint32_t widest_row_bytes = 256;

// Takes out of a map by slots what shares bytes with these. bytes_of says how many an entry has.
template <class T, class BytesOf>
void erase_overlapping(std::map<uint32_t, T>& by_slot, uint32_t slot, uint32_t bytes, BytesOf bytes_of) {
  auto at = by_slot.lower_bound(slot < widest_row_bytes ? 0 : slot - widest_row_bytes + 1);
  while (at != by_slot.end() && at->first < slot + bytes)
    at = slot < at->first + bytes_of(at->second) ? by_slot.erase(at) : std::next(at);
}

}  // namespace warplens::exec::jit
