// Colours for amounts: the viridis map (CC0, by Stéfan van der Walt and Nathaniel Smith), interpolated from
// twenty of its points.
#pragma once

#include <cstdint>

namespace warplens {

// 0 gives dark violet, 1 gives yellow; other values are clamped. NaN gives 0x808080, which is not in the
// map.
uint32_t viridis(double share);
// If all amounts are the same, there is nothing to see, so words say the number.
constexpr uint32_t uniform_colour = 0x6b7683;

}  // namespace warplens
