// Which elements of a matrix the lanes of a warp hold, from fragments.def.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::program {

enum class MatrixPart : uint8_t {
  a,
  b,
  c,  // and d
  quad_a_row,
  quad_a_col,
  quad_b_row,
  quad_b_col,
  quad_c,
  indices
};

struct Fragment {
  uint32_t rows = 0, columns = 0, bits = 0;  // of the matrix, and of one element
  uint32_t elements = 0;                     // of a lane
  uint32_t products = 1;                     // number of matrices next to each other: quads have four
  uint32_t free_lane_bits = 0;               // bits of the lane that no coordinate needs
  // [element · 32 + lane]: (product · rows + row) · columns + column
  std::vector<uint16_t> place;

  uint32_t size() const { return products * rows * columns; }
  // 32-bit registers, or 64-bit ones for elements of 64 bits.
  uint32_t registers() const { return bits == 64 ? elements : elements * bits / 32; }
};

// Empty if the table has no such fragment.
std::optional<Fragment> fragment_of(MatrixPart part, uint32_t rows, uint32_t columns, uint32_t bits);

}  // namespace warplens::program
