// mma and wmma.mma of floats, PTX ISA 9.7.14, with the numerics of Hopper's tensor cores. They were found by
// recording an H200 (tests/data/ptx/mma, tests/data/ptx/wmma), and are described by Fasi et al. (2021) and by
// Khattak and Mikaitis (2025):
//
// - An instruction adds all products of a result and c at once. Products are exact. All terms are cut, toward
//   zero, at 2 bits below f32's last bit for the largest exponent among them. A product's exponent is the sum
//   of its factors' exponents; a subnormal factor counts with the smallest normal exponent. No product counts
//   with less than 2^-133.
// - The sum is cut to f32, toward zero, or rounded to f16, to nearest even.
// - e4m3 and e5m2 become f16. Columns 0 and 1 of every four are added first, then the rest, and c last,
//   rounded to nearest.
#include "core/gpu/exec/ops/common.h"

#include <algorithm>
#include <array>

#include "core/base/half.h"
#include "core/program/op/matrix_op.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/ops/matrix.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

constexpr uint32_t nan_f32 = 0x7fffffff, nan_f16 = 0x7fff;
constexpr int32_t no_exponent = -4096;  // the exponent of zeros
constexpr int32_t least_exponent = -133;
constexpr int32_t kept_bits = 23 + 2;  // kept bits below the largest exponent

// A matrix as values, and the exponents that decide where sums are cut.
struct Values {
  alignas(64) std::array<double, most_elements> value;
  alignas(64) std::array<int32_t, most_elements> exponent;
  bool special = false;  // holds an infinity or a NaN
};

inline float float_of(Number number, uint32_t bits) {
  switch (number) {
    case Number::f16:
      return float_of_f16(static_cast<uint16_t>(bits));
    case Number::bf16:
      return float_of_bf16(static_cast<uint16_t>(bits));
    case Number::tf32:
      return float_of_tf32(bits);
    case Number::e4m3:
      return float_of_e4m3(static_cast<uint8_t>(bits));
    case Number::e5m2:
      return float_of_e5m2(static_cast<uint8_t>(bits));
    default:
      return std::bit_cast<float>(bits);
  }
}

template <Number N>
void convert(const uint32_t* bits, uint32_t count, Values& to) {
  constexpr bool wide = N == Number::bf16 || N == Number::tf32 || N == Number::f32;
  constexpr int32_t lowest = wide ? -126 : -14;
  uint32_t special = 0;
  WARPLENS_LANES
  for (uint32_t i = 0; i < count; ++i) {
    const float value = float_of(N, bits[i]);
    const uint32_t magnitude = std::bit_cast<uint32_t>(value) & 0x7fffffff;
    const auto exponent = static_cast<int32_t>(magnitude >> 23);
    to.value[i] = static_cast<double>(value);
    const int32_t unbiased = exponent - 127 < lowest ? lowest : exponent - 127;
    to.exponent[i] = magnitude == 0 ? no_exponent : unbiased;
    special |= exponent == 255 ? 1u : 0u;
  }
  to.special = special != 0;
}

void read(const MatrixOperand& operand, const Warp& warp, Values& to) {
  alignas(64) uint32_t bits[most_elements];
  gather(operand, warp, bits);
  const uint32_t count = operand.fragment.size();
  switch (operand.number) {
    case Number::f16:
      return convert<Number::f16>(bits, count, to);
    case Number::bf16:
      return convert<Number::bf16>(bits, count, to);
    case Number::tf32:
      return convert<Number::tf32>(bits, count, to);
    case Number::e4m3:
      return convert<Number::e4m3>(bits, count, to);
    case Number::e5m2:
      return convert<Number::e5m2>(bits, count, to);
    default:
      return convert<Number::f32>(bits, count, to);
  }
}

inline double power_of_two(int32_t exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}
// Cuts off the fraction. |x| is below 2^31, unless an operand is not finite; the sum of such a row is not
// used.
inline double cut(double x) {
  return static_cast<double>(static_cast<int32_t>(std::fabs(x) < 0x1p31 ? x : 0.0));
}

// Rounds toward zero. Values that are too large become infinite.
inline double cut_to_f32(double exact) {
  const auto nearest = static_cast<float>(exact);
  const auto bits = std::bit_cast<uint32_t>(nearest);
  const double size = std::fabs(exact);
  const bool too_large = std::fabs(static_cast<double>(nearest)) > size && size < 0x1p128;
  return static_cast<double>(std::bit_cast<float>(too_large ? bits - 1 : bits));
}
inline double round_to(Number number, double exact) {
  if (number == Number::f16) return static_cast<double>(float_of_f16(f16_of(exact)));
  return cut_to_f32(exact);
}
inline int32_t exponent_of(Number number, double value) {
  if (value == 0) return no_exponent;
  const auto exponent = static_cast<int32_t>(std::bit_cast<uint64_t>(value) >> 52 & 2047) - 1023;
  const int32_t lowest = number == Number::f16 ? -14 : -126;
  return exponent < lowest ? lowest : exponent;
}

// The columns of a that are added together: `run` columns from `first` on, then `step` columns further on.
struct Columns {
  uint32_t first, run, step, end;
};

// The sums of one row of a with N columns of b; total has c, and gets the result.
template <uint32_t N>
void add_row(const Values& a, const Values& b, uint32_t a_row, const uint16_t* b_rows, const Columns& columns,
             Number number, double* __restrict total) {
  alignas(64) int32_t top[N];
  alignas(64) double scale[N], sum[N];
  for (uint32_t j = 0; j < N; ++j) {
    const int32_t exponent = exponent_of(number, total[j]);
    top[j] = exponent < least_exponent ? least_exponent : exponent;
  }
  for (uint32_t block = columns.first; block < columns.end; block += columns.step) {
    for (uint32_t k = block; k < block + columns.run; ++k) {
      const int32_t own = a.exponent[a_row + k];
      const int32_t* other = b.exponent.data() + b_rows[k] * N;
      WARPLENS_LANES
      for (uint32_t j = 0; j < N; ++j) top[j] = own + other[j] > top[j] ? own + other[j] : top[j];
    }
  }
  for (uint32_t j = 0; j < N; ++j) {
    scale[j] = power_of_two(kept_bits - top[j]);
    sum[j] = cut(total[j] * scale[j]);
  }
  for (uint32_t block = columns.first; block < columns.end; block += columns.step) {
    for (uint32_t k = block; k < block + columns.run; ++k) {
      const double own = a.value[a_row + k];
      const double* other = b.value.data() + b_rows[k] * N;
      WARPLENS_LANES
      for (uint32_t j = 0; j < N; ++j) sum[j] += cut(own * other[j] * scale[j]);
    }
  }
  for (uint32_t j = 0; j < N; ++j) total[j] = round_to(number, sum[j] * power_of_two(top[j] - kept_bits));
}

// As above for one result whose operands may be infinite or NaN. True if the result is not finite.
bool add_special(const Values& a, const Values& b, uint32_t a_row, const uint16_t* b_rows, uint32_t column,
                 uint32_t n, const Columns& columns, double& total) {
  double sum = std::isfinite(total) ? 0 : total;  // of the values that are not finite, as in IEEE 754
  for (uint32_t block = columns.first; block < columns.end; block += columns.step) {
    for (uint32_t k = block; k < block + columns.run; ++k) {
      const double product = a.value[a_row + k] * b.value[b_rows[k] * n + column];
      if (!std::isfinite(product)) sum += product;
    }
  }
  if (std::isfinite(sum)) return false;
  total = sum;
  return true;
}

template <uint32_t N>
void add_products(const Values& a, const Values& b, const MatrixOp& op, const Pairing& pairing, bool special,
                  const Columns& columns, Number number, double* total) {
  const uint32_t stored = op.a.fragment.columns;
  for (uint32_t i = 0; i < op.m; ++i) {
    double* row = total + i * N;
    double before[N];
    std::memcpy(before, row, sizeof before);
    if (special) {
      for (uint32_t j = 0; j < N; ++j) row[j] = std::isfinite(row[j]) ? row[j] : 0;
    }
    add_row<N>(a, b, i * stored, pairing.rows(i), columns, number, row);
    if (!special) continue;
    for (uint32_t j = 0; j < N; ++j) {
      if (add_special(a, b, i * stored, pairing.rows(i), j, N, columns, before[j])) row[j] = before[j];
    }
  }
}

uint32_t bits_of(Number number, double value) {
  if (number == Number::f16) return std::isnan(value) ? nan_f16 : f16_of(value);
  return std::isnan(value) ? nan_f32 : std::bit_cast<uint32_t>(static_cast<float>(value));
}

template <uint32_t N>
const Op* run(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const MatrixOp& matrix = matrix_of(op, warp);
  Values a, b, c;
  read(matrix.a, warp, a);
  read(matrix.b, warp, b);
  read(matrix.c, warp, c);
  const Pairing pairing(matrix, warp);
  const Number number = matrix.d.number;
  const uint32_t stored = matrix.a.fragment.columns, results = matrix.m * N;
  const bool special = a.special || b.special || c.special;
  alignas(64) double total[512];
  const bool bytes = matrix.a.number == Number::e4m3 || matrix.a.number == Number::e5m2;
  if (bytes) {
    std::fill_n(total, results, 0.0);
    const Columns first{0, 2, 4, stored}, second{2, 2, 4, stored};
    add_products<N>(a, b, matrix, pairing, special, first, number, total);
    // Half of the sum may be too large for f16.
    add_products<N>(a, b, matrix, pairing, true, second, number, total);
    for (uint32_t i = 0; i < results; ++i) {
      total[i] += c.value[i];
      if (number == Number::f32) total[i] = static_cast<double>(static_cast<float>(total[i]));
    }
  } else {
    std::copy_n(c.value.data(), results, total);
    // wmma.m16n16k8 is two instructions of four columns each on the H200.
    const uint32_t run = matrix.halves ? stored / 2 : stored;
    // A sum with a c of f32 has type f32, even if d does not.
    const Number sum = matrix.c.number == Number::f32 ? Number::f32 : number;
    for (uint32_t first = 0; first < stored; first += run)
      add_products<N>(a, b, matrix, pairing, special || first != 0, {first, run, stored, first + run}, sum,
                      total);
  }
  alignas(64) uint32_t dense[most_elements];
  for (uint32_t i = 0; i < results; ++i) dense[i] = bits_of(number, total[i]);
  scatter(matrix.d, warp, dense);
  return op + 1;
}

const Op* run_any(const Op* op, Warp& warp) {
  switch (matrix_of(op, warp).n) {
    case 8:
      return run<8>(op, warp);
    case 16:
      return run<16>(op, warp);
    default:
      return run<32>(op, warp);
  }
}

// mma.m8n8k4 of f16 was made for Volta. The H200 has no such unit: ptxas replaces it by multiply-adds of f32.
// For a result of f32, they are in the order of the columns, with c last. For f16, in two pairs, with c in
// the first.
inline float multiply_add_four(const float* a, const float* b, float c, bool pairs) {
  const float first = std::fma(a[1], b[1], a[0] * b[0]);
  if (pairs) return first + c + std::fma(a[3], b[3], a[2] * b[2]);
  return std::fma(a[3], b[3], std::fma(a[2], b[2], first)) + c;
}

const Op* run_halves(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const MatrixOp& matrix = matrix_of(op, warp);
  alignas(64) uint32_t a[128], b[128], c[256];
  gather(matrix.a, warp, a);
  gather(matrix.b, warp, b);
  gather(matrix.c, warp, c);
  for (uint32_t product = 0; product < 4; ++product) {
    for (uint32_t i = 0; i < 8; ++i) {
      for (uint32_t j = 0; j < 8; ++j) {
        float row[4], column[4];
        for (uint32_t k = 0; k < 4; ++k) {
          row[k] = float_of(Number::f16, a[product * 32 + i * 4 + k]);
          column[k] = float_of(Number::f16, b[product * 32 + k * 8 + j]);
        }
        uint32_t& result = c[product * 64 + i * 8 + j];
        const float sum =
            multiply_add_four(row, column, float_of(matrix.c.number, result), matrix.d.number == Number::f16);
        result = bits_of(matrix.d.number, static_cast<double>(sum));
      }
    }
  }
  scatter(matrix.d, warp, c);
  return op + 1;
}

// If there are several NaNs, the one of the running sum is returned, then those of a and b; with 16 rows, b's
// is first.
inline double multiply_add(double a, double b, double sum, bool b_first) {
  const double result = std::fma(a, b, sum);
  if (!std::isnan(result)) return result;
  const double source = b_first && std::isnan(b) ? b : std::isnan(sum) ? sum : std::isnan(a) ? a : b;
  constexpr uint64_t quiet = uint64_t{1} << 51, invalid = 0xfff8000000000000;
  return std::bit_cast<double>(std::isnan(source) ? std::bit_cast<uint64_t>(source) | quiet : invalid);
}

// For doubles: fused multiply-adds in the order of the columns.
const Op* run_doubles(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const MatrixOp& matrix = matrix_of(op, warp);
  Values a, b, c;
  const auto take = [&](const MatrixOperand& operand, Values& to) {
    for (uint32_t e = 0; e < operand.fragment.elements; ++e) {
      const double* from = warp.reg<double>(operand.slots[e]);
      for (uint32_t lane = 0; lane < warp_lanes; ++lane)
        to.value[operand.fragment.place[e * warp_lanes + lane]] = from[lane];
    }
  };
  take(matrix.a, a);
  take(matrix.b, b);
  take(matrix.c, c);
  for (uint32_t i = 0; i < matrix.m; ++i) {
    double* row = c.value.data() + i * matrix.n;
    for (uint32_t k = 0; k < matrix.k; ++k) {
      const double own = a.value[i * matrix.k + k];
      for (uint32_t j = 0; j < matrix.n; ++j) {
        row[j] = multiply_add(own, b.value[k * matrix.n + j], row[j], matrix.m == 16);
      }
    }
  }
  for (uint32_t e = 0; e < matrix.d.fragment.elements; ++e) {
    double* to = warp.reg<double>(matrix.d.slots[e]);
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      to[lane] = c.value[matrix.d.fragment.place[e * warp_lanes + lane]];
  }
  return op + 1;
}

}  // namespace

Handlers pick_matrix_float(MatrixJob job) {
  switch (job) {
    case MatrixJob::multiply_floats:
      return {{&run_any, &run_any}};
    case MatrixJob::multiply_halves:
      return {{&run_halves, &run_halves}};
    case MatrixJob::multiply_doubles:
      return {{&run_doubles, &run_doubles}};
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
