// mma and wmma.mma of integers and bits, and the transposition of a matrix in registers, PTX ISA 9.7.14.
#include "core/gpu/exec/ops/common.h"

#include <array>

#include "core/program/op/matrix_op.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/ops/matrix.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// Sign-extends signed elements.
void extend(const MatrixOperand& operand, uint32_t* dense) {
  const uint32_t shift = 32 - operand.fragment.bits;
  if (operand.number != Number::s8 && operand.number != Number::s4) return;
  WARPLENS_LANES
  for (uint32_t i = 0; i < operand.fragment.size(); ++i)
    dense[i] = static_cast<uint32_t>(static_cast<int32_t>(dense[i] << shift) >> shift);
}

template <bool Saturate>
uint32_t add(uint32_t sum, uint32_t c) {
  if constexpr (!Saturate) return sum + c;
  const int64_t exact = int64_t{static_cast<int32_t>(sum)} + static_cast<int32_t>(c);
  const int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
  return static_cast<uint32_t>(exact < low ? low : exact > high ? high : exact);
}

template <uint32_t N>
void multiply(const MatrixOp& op, const Pairing& pairing, const uint32_t* a, const uint32_t* b, uint32_t* c) {
  const uint32_t stored = op.a.fragment.columns;
  for (uint32_t i = 0; i < op.m; ++i) {
    alignas(64) uint32_t sum[N] = {};
    const uint16_t* rows = pairing.rows(i);
    for (uint32_t k = 0; k < stored; ++k) {
      const uint32_t own = a[i * stored + k];
      const uint32_t* other = b + rows[k] * N;
      WARPLENS_LANES
      for (uint32_t j = 0; j < N; ++j) sum[j] += own * other[j];
    }
    for (uint32_t j = 0; j < N; ++j) {
      uint32_t& result = c[i * N + j];
      result = op.saturate ? add<true>(sum[j], result) : add<false>(sum[j], result);
    }
  }
}

const Op* run_integers(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const MatrixOp& matrix = matrix_of(op, warp);
  alignas(64) uint32_t a[most_elements], b[most_elements], c[most_elements];
  gather(matrix.a, warp, a);
  gather(matrix.b, warp, b);
  gather(matrix.c, warp, c);
  extend(matrix.a, a);
  extend(matrix.b, b);
  const Pairing pairing(matrix, warp);
  if (matrix.n == 8) {
    multiply<8>(matrix, pairing, a, b, c);
  } else if (matrix.n == 16) {
    multiply<16>(matrix, pairing, a, b, c);
  } else {
    multiply<32>(matrix, pairing, a, b, c);
  }
  scatter(matrix.d, warp, c);
  return op + 1;
}

// Matrices of bits: a word holds 32 columns of a, or 32 rows of b.
const Op* run_bits(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const MatrixOp& matrix = matrix_of(op, warp);
  alignas(64) uint32_t a[128], b[64], c[128];
  gather(matrix.a, warp, a);
  gather(matrix.b, warp, b);
  gather(matrix.c, warp, c);
  const uint32_t words = matrix.k / 32;
  for (uint32_t i = 0; i < matrix.m; ++i) {
    for (uint32_t j = 0; j < matrix.n; ++j) {
      uint32_t count = 0;
      for (uint32_t k = 0; k < words; ++k) {
        const uint32_t own = a[i * words + k], other = b[k * matrix.n + j];
        count += static_cast<uint32_t>(std::popcount(matrix.exclusive_or ? own ^ other : own & other));
      }
      c[i * matrix.n + j] += count;
    }
  }
  scatter(matrix.d, warp, c);
  return op + 1;
}

// movmatrix, PTX ISA 9.7.14.5.17: an 8 × 8 matrix of 16-bit elements, two of a row in each lane.
const Op* run_transpose(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const uint32_t* from = warp.reg<uint32_t>(op->a);
  uint16_t matrix[8][8];
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    matrix[lane / 4][lane % 4 * 2] = static_cast<uint16_t>(from[lane]);
    matrix[lane / 4][lane % 4 * 2 + 1] = static_cast<uint16_t>(from[lane] >> 16);
  }
  uint32_t* to = warp.reg<uint32_t>(op->d);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const uint32_t row = lane / 4, column = lane % 4 * 2;
    to[lane] = matrix[column][row] | static_cast<uint32_t>(matrix[column + 1][row]) << 16;
  }
  return op + 1;
}

}  // namespace

Handlers pick_matrix_integer(MatrixJob job) {
  switch (job) {
    case MatrixJob::multiply_integers:
      return {{&run_integers, &run_integers}};
    case MatrixJob::multiply_bits:
      return {{&run_bits, &run_bits}};
    case MatrixJob::transpose:
      return {{&run_transpose, &run_transpose}};
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
