// What an op on matrices needs in addition to Op: many registers, shapes and types. Owned by the program.
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
  uint32_t m = 0, n = 0, k = 0;  // a has m × k elements, half of them if it is sparse
  bool saturate = false;         // .satfinite of integers
  bool exclusive_or = false;     // of bits; else and
  bool halves = false;           // the columns of a are processed in two halves
  // For sparse a: of each group of columns, only those that the indices name are stored.
  uint32_t group = 0;  // columns of b that share an index; 0 if a is dense
  uint32_t indices_slot = no_slot, selector = 0;
  Fragment indices;
};

// What a warp does together with matrices; the handlers are in core/gpu/exec/ops/matrix*.cpp.
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
  copy_target   // and where to
};

// mma and wmma.mma.
struct ProductOp {
  uint32_t matrix = 0;  // in Program::matrices

  static ProductOp of(const Op& op) { return {op.e}; }
  void write(Op& op) const { op.e = matrix; }
};

// ldmatrix and stmatrix, of one, two or four matrices. Their address is an AddressOp.
struct MatrixRowsOp {
  static constexpr uint32_t matrix_bytes = 16;  // of a row, which is also what a lane holds of each matrix
  bool store = false;
  uint32_t count = 0;
  std::array<uint32_t, 4> slots{};  // a register for each matrix
  bool transposed = false;
  bool generic = false;  // the address is generic
  uint32_t counter = 0;  // in Program::counted

  static MatrixRowsOp of(const Op& op) {
    return {(op.flags & flag_store) != 0, op.bytes / matrix_bytes, {op.d, op.b, op.c, op.e},
            (op.extra & 1) != 0,          (op.extra & 2) != 0,     op.state};
  }
  void write(Op& op) const {
    if (store) op.flags |= flag_store;
    op.bytes = static_cast<uint8_t>(count * matrix_bytes);
    op.d = slots[0];
    op.b = slots[1];
    op.c = slots[2];
    op.e = slots[3];
    op.extra = static_cast<uint8_t>((transposed ? 1 : 0) | (generic ? 2 : 0));
    op.state = counter;
  }
};

// The address of an element of the lanes' part of a matrix in memory. The address of the matrix is an
// AddressOp.
struct ElementAddressOp {
  uint32_t result = 0;   // slot, 64 bits a lane
  uint32_t stride = 0;   // slot: elements from one line to the next
  uint32_t element = 0;  // of a lane
  uint32_t matrix = 0;   // in Program::matrices, its d
  bool by_columns = false;

  static ElementAddressOp of(const Op& op) { return {op.d, op.b, op.c, op.e, op.extra != 0}; }
  void write(Op& op) const {
    op.d = result;
    op.b = stride;
    op.c = element;
    op.e = matrix;
    op.extra = by_columns ? 1 : 0;
  }
};

// The source of cp.async. Its address is an AddressOp.
struct CopySourceOp {
  uint8_t bytes = 0;
  uint32_t size = no_slot;       // slot: bytes that are read, the rest becomes zeros; no_slot for all bytes
  uint32_t predicate = no_slot;  // slot: lanes that read nothing; no_slot if all read
  bool negated = false;          // the predicate
  uint32_t counter = 0;          // in Program::counted

  static CopySourceOp of(const Op& op) {
    return {op.bytes, op.b, op.c, (op.flags & flag_negated) != 0, op.state};
  }
  void write(Op& op) const {
    op.bytes = bytes;
    op.b = size;
    op.c = predicate;
    if (negated) op.flags |= flag_negated;
    op.state = counter;
  }
};

// The target of cp.async. Its address is an AddressOp.
struct CopyTargetOp {
  uint8_t bytes = 0;
  bool bypasses = false;  // cp.async.cg: bypasses the L1 cache
  uint32_t counter = 0;   // in Program::counted

  static CopyTargetOp of(const Op& op) { return {op.bytes, op.extra != 0, op.state}; }
  void write(Op& op) const {
    op.bytes = bytes;
    op.extra = bypasses ? 4 : 0;
    op.flags |= flag_store;
    op.state = counter;
  }
};

}  // namespace warplens::program
