// Texture coordinates as numbers: how sample.cpp and plane.cpp cut and round them.
#pragma once

#include <cstdint>

namespace warplens::exec {

// Normalised coordinates are cut to this many fractional bits.
constexpr int coordinate_bits = 21;
constexpr int64_t coordinate_one = int64_t{1} << coordinate_bits;

// As std::floor, which is a function call unless the compiler may use SSE 4.1. For values that fit.
inline int64_t floored(double value) {
  const auto cut = static_cast<int64_t>(value);
  return cut - (value < static_cast<double>(cut) ? 1 : 0);
}

}  // namespace warplens::exec
