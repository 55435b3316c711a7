// The three extents of a grid or a block, and positions in them.
#pragma once

#include <cstdint>

namespace warplens {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

// x runs fastest. CUDA orders the threads of a block this way, and this project orders the blocks of a grid
// the same way.
inline uint64_t linear_index(Dim3 position, Dim3 extent) {
  return position.x + uint64_t{extent.x} * (position.y + uint64_t{extent.y} * position.z);
}

inline Dim3 position_at(uint64_t index, Dim3 extent) {
  return {static_cast<uint32_t>(index % extent.x), static_cast<uint32_t>(index / extent.x % extent.y),
          static_cast<uint32_t>(index / extent.x / extent.y)};
}

inline uint64_t ceil_div(uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b + (a % b != 0); }

constexpr uint32_t warp_lanes = 32;

}  // namespace warplens
