#pragma once

// What the handlers of matrix instructions share. Included between isa_begin.h and isa_end.h.

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

inline const MatrixOp& matrix_of(const Op* op, const Warp& warp) {
  return warp.block->matrices[ProductOp::of(*op).matrix];
}

// Matrix instructions are .aligned: all lanes of the warp run them together, PTX ISA 9.7.14.
inline bool is_whole(const Op* op, Warp& warp) {
  if (warp.mask == 0xffffffff) return true;
  raise(warp, {.kind = FaultKind::incomplete_warp,
               .op = op,
               .lane = static_cast<uint32_t>(std::countr_zero(warp.mask)),
               .detail = {}});
  return false;
}

// Collects the elements of a matrix, row after row, as bits. Not for elements of 64 bits.
inline void gather(const MatrixOperand& operand, const Warp& warp, uint32_t* dense) {
  const Fragment& fragment = operand.fragment;
  const uint32_t bits = fragment.bits, packed = 32 / bits;
  const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  const uint16_t* place = fragment.place.data();
  for (uint32_t element = 0; element < fragment.elements; ++element, place += warp_lanes) {
    const uint32_t* from = warp.reg<uint32_t>(operand.slots[element / packed]);
    const uint32_t shift = element % packed * bits;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) dense[place[lane]] = from[lane] >> shift & mask;
  }
}

inline void scatter(const MatrixOperand& operand, const Warp& warp, const uint32_t* dense) {
  const Fragment& fragment = operand.fragment;
  const uint32_t bits = fragment.bits, packed = 32 / bits;
  const uint16_t* place = fragment.place.data();
  for (uint32_t element = 0; element < fragment.elements; element += packed) {
    uint32_t* to = warp.reg<uint32_t>(operand.slots[element / packed]);
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) to[lane] = dense[place[lane]];
    place += warp_lanes;
    for (uint32_t part = 1; part < packed; ++part, place += warp_lanes) {
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) to[lane] |= dense[place[lane]] << part * bits;
    }
  }
}

// The largest number of elements that a matrix of an instruction has.
inline constexpr uint32_t most_elements = 1024;

// The row of b that element [i][k] of a is multiplied with: row k if a is dense, otherwise the row that the
// indices name. PTX ISA 9.7.14.6.
class Pairing {
 public:
  Pairing(const MatrixOp& op, const Warp& warp) : m_stored(op.a.fragment.columns), m_dense(op.group == 0) {
    if (m_dense) {
      for (uint32_t k = 0; k < m_stored; ++k) m_row[k] = static_cast<uint16_t>(k);
    } else {
      read_indices(op, warp);
    }
  }
  const uint16_t* rows(uint32_t i) const { return m_dense ? m_row.data() : m_row.data() + i * m_stored; }

 private:
  void read_indices(const MatrixOp& op, const Warp& warp) {
    const uint32_t* words = warp.reg<uint32_t>(op.indices_slot);
    const uint32_t groups = op.indices.columns, stored = m_stored / groups;
    const uint32_t free_bits = op.indices.free_lane_bits;
    // The selector's bits say which of the lanes that differ in the free bits have the indices.
    const uint32_t wanted = op.selector << std::countr_zero(free_bits | warp_lanes) & free_bits;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      if ((lane & free_bits) != wanted) continue;
      for (uint32_t nibble = 0; nibble < op.indices.elements; ++nibble) {
        const uint32_t place = op.indices.place[nibble * warp_lanes + lane];
        const uint32_t bits = words[lane] >> 4 * nibble & 15;
        uint16_t* to = m_row.data() + place * stored;
        const uint32_t first = place % groups * op.group;
        // 1:2 sparsity: both pairs of bits name the same element. Otherwise 2:4, or 4:8 in pairs.
        const uint32_t width = op.group / 4;
        if (width == 0) to[0] = static_cast<uint16_t>(first + (bits >> 1 & 1));
        for (uint32_t i = 0; i < 2 * width; ++i) {
          const uint32_t index = bits >> (i / width * 2) & 3;
          to[i] = static_cast<uint16_t>(first + index * width + i % width);
        }
      }
    }
  }

  uint32_t m_stored;
  bool m_dense;
  std::array<uint16_t, most_elements> m_row;
};

}  // namespace

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
