// What an op on matrices needs beyond Op: many registers, shapes and types. Owned by the program.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/program/op/fragment.h"
#include "core/program/op/op.h"

namespace warplens::program {

enum class Number : uint8_t { f16, bf16, tf32, e4m3, e5m2, f32, f64, s8, u8, s4, u4, b1, s32 };

// A matrix in the registers of a warp.
struct MatrixOperand {
  Fragment fragment;
  std::array<uint32_t, 8> slots{};
  Number number = Number::f32;
};

// d = a · b + c, PTX ISA 9.7.14.
struct MatrixOp {
  MatrixOperand a, b, c, d;
  uint32_t m = 0, n = 0, k = 0;  // a has m × k elements, half of them where it is sparse
  bool saturate = false;         // .satfinite of integers
  bool exclusive_or = false;     // of bits; else and
  bool halves = false;           // the columns of a are added in two halves
  // Sparse a: of each group of columns, those that the indices name are stored.
  uint32_t group = 0;  // 0: dense; columns of b that share an index
  uint32_t indices_slot = no_slot, selector = 0;
  Fragment indices;
};

// What a warp does together with matrices; the handlers are core/gpu/exec/ops/matrix*.cpp.
enum class MatrixJob : uint8_t {
  multiply_floats,
  multiply_halves,  // of f16 m8n8k4, by the lanes' own units
  multiply_doubles,
  multiply_integers,
  multiply_bits,
  load_matrix,
  store_matrix,
  transpose,
  element_address,  // of wmma.load and wmma.store
  join_bytes,
  copy_source,  // of cp.async: reads
  copy_target   // and says where to
};

// Op::extra of these ops.
constexpr uint8_t matrix_transposed = 1;  // .trans; a matrix in memory that lies column after column
constexpr uint8_t matrix_generic = 2;     // the address is generic
constexpr uint8_t copy_bypasses = 4;      // cp.async.cg: past the L1 cache

}  // namespace warplens::program
