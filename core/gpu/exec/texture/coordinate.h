// Coordinates of textures as numbers: what sample.cpp and plane.cpp both cut and round.
#pragma once

#include <cstdint>

namespace warplens::exec {

// Normalised coordinates are cut to this many bits behind the point.
constexpr int coordinate_bits = 21;
constexpr int64_t coordinate_one = int64_t{1} << coordinate_bits;

// As std::floor, which is a call where the compiler may not count on SSE 4.1. For what fits.
inline int64_t floored(double value) {
  const auto cut = static_cast<int64_t>(value);
  return cut - (value < static_cast<double>(cut) ? 1 : 0);
}

}  // namespace warplens::exec
