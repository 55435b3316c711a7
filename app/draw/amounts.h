// Colours of amounts: the viridis map (CC0, by Stéfan van der Walt and Nathaniel Smith) by twenty of its
// points.
#pragma once

#include <cstdint>

namespace warplens {

// 0 → dark violet, 1 → yellow; clamped; NaN → 0x808080, which the map does not contain.
uint32_t viridis(double share);

}  // namespace warplens
