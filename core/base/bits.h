// The bits of a mask, as of the lanes of a warp.
#pragma once

#include <bit>
#include <cstdint>

namespace warplens {

// Calls f with the index of each bit that is set, from the lowest.
template <typename F>
void for_each_bit(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

}  // namespace warplens
