#include "core/program/op/fragment.h"

#include <array>
#include <bit>
#include <string_view>

namespace warplens::program {

namespace {

constexpr uint32_t lanes = 32;

struct Row {
  MatrixPart part;
  uint32_t rows, columns, bits;
  std::string_view row, column;
};

constexpr Row table[] = {
#define MATRIX_FRAGMENT(part, rows, columns, bits, row, column) \
  {MatrixPart::part, rows, columns, bits, row, column},
#include "core/program/op/fragments.def"
#undef MATRIX_FRAGMENT
};

// The coordinate of an element: each bit of it is a bit of the lane or of the element's number.
class Coordinate {
 public:
  Coordinate(std::string_view list, uint32_t extent) {
    for (size_t at = 0; at + 1 < list.size() && (1u << m_bits.size()) < extent; at += 3)
      m_bits.push_back({list[at] == 'L', static_cast<uint32_t>(list[at + 1] - '0')});
  }
  bool covers(uint32_t extent) const { return 1u << m_bits.size() == extent; }
  uint32_t of(uint32_t lane, uint32_t element) const {
    uint32_t value = 0;
    for (size_t i = 0; i < m_bits.size(); ++i)
      value |= ((m_bits[i].of_lane ? lane : element) >> m_bits[i].bit & 1u) << i;
    return value;
  }
  uint32_t lane_bits() const {
    uint32_t mask = 0;
    for (const Bit& bit : m_bits) mask |= bit.of_lane ? 1u << bit.bit : 0;
    return mask;
  }
  uint32_t element_bits() const {
    uint32_t count = 0;
    for (const Bit& bit : m_bits) count += bit.of_lane ? 0 : 1;
    return count;
  }

 private:
  struct Bit {
    bool of_lane;
    uint32_t bit;
  };
  std::vector<Bit> m_bits;
};

const Row* find(MatrixPart part, uint32_t rows, uint32_t columns, uint32_t bits) {
  for (const Row& row : table) {
    if (row.part == part && (row.rows == 0 || row.rows == rows) &&
        (row.columns == 0 || row.columns == columns) && (row.bits == 0 || row.bits == bits)) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Fragment> fragment_of(MatrixPart part, uint32_t rows, uint32_t columns, uint32_t bits) {
  const Row* found = find(part, rows, columns, bits);
  if (found == nullptr) return std::nullopt;
  const Coordinate row(found->row, rows), column(found->column, columns);
  if (!row.covers(rows) || !column.covers(columns)) return std::nullopt;
  Fragment fragment{.rows = rows, .columns = columns, .bits = bits, .place = {}};
  const bool is_quad = part >= MatrixPart::quad_a_row && part <= MatrixPart::quad_c;
  fragment.products = is_quad ? 4 : 1;
  fragment.elements = 1u << (row.element_bits() + column.element_bits());
  fragment.free_lane_bits = ~(row.lane_bits() | column.lane_bits()) & (lanes - 1);
  fragment.place.resize(size_t{fragment.elements} * lanes);
  for (uint32_t element = 0; element < fragment.elements; ++element) {
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const uint32_t product = is_quad ? lane >> 2 & 3u : 0;
      fragment.place[element * lanes + lane] = static_cast<uint16_t>(
          (product * rows + row.of(lane, element)) * columns + column.of(lane, element));
    }
  }
  return fragment;
}

}  // namespace warplens::program
