// Matrix instructions, PTX ISA 9.7.14: mma, wmma, ldmatrix, stmatrix, movmatrix.
#include <fmt/format.h>

#include <cfenv>

#include "core/program/decode/families.h"
#include "core/program/decode/matrix_operand.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {

namespace {

struct Shape {
  uint32_t m = 0, n = 0, k = 0;
};

// "m16n8k16"
Shape shape_of(std::span<const Modifier> modifiers) {
  Shape shape;
  for (const Modifier modifier : modifiers) {
    if (ptx::kind_of(modifier) != ModifierKind::shape) continue;
    uint32_t* side = nullptr;
    for (const char c : ptx::text_of(modifier)) {
      if (c == 'm') side = &shape.m;
      if (c == 'n') side = &shape.n;
      if (c == 'k') side = &shape.k;
      if (c >= '0' && c <= '9') *side = *side * 10 + static_cast<uint32_t>(c - '0');
    }
  }
  return shape;
}

Number number_of(Modifier type) {
  switch (type) {
    case Modifier::f16:
      return Number::f16;
    case Modifier::bf16:
      return Number::bf16;
    case Modifier::tf32:
      return Number::tf32;
    case Modifier::e4m3:
      return Number::e4m3;
    case Modifier::e5m2:
      return Number::e5m2;
    case Modifier::f32:
      return Number::f32;
    case Modifier::f64:
      return Number::f64;
    case Modifier::s8:
      return Number::s8;
    case Modifier::u8:
      return Number::u8;
    case Modifier::s4:
      return Number::s4;
    case Modifier::u4:
      return Number::u4;
    case Modifier::b1:
      return Number::b1;
    default:
      return Number::s32;
  }
}

std::vector<Modifier> types_of(std::span<const Modifier> modifiers) {
  std::vector<Modifier> types;
  for (const Modifier m : modifiers) {
    if (ptx::kind_of(m) == ModifierKind::type) types.push_back(m);
  }
  return types;
}

// wmma's fragments of f16 have 8 registers, whatever the shape.
uint32_t declared_registers(const Fragment& fragment, bool is_wmma, MatrixPart part, Modifier type) {
  const bool padded = is_wmma && type == Modifier::f16 && part != MatrixPart::c;
  return padded ? 8 : fragment.registers();
}

// Bits are packed, 32 to an element; all instructions use them this way.
std::optional<Fragment> fragment_for(MatrixPart part, Shape shape, Modifier type) {
  const bool bits = type == Modifier::b1;
  const uint32_t k = bits ? shape.k / 32 : shape.k, width = bits ? 32 : ptx::bits_of(type);
  switch (part) {
    case MatrixPart::a:
    case MatrixPart::quad_a_row:
    case MatrixPart::quad_a_col:
      return fragment_of(part, shape.m, k, width);
    case MatrixPart::b:
    case MatrixPart::quad_b_row:
    case MatrixPart::quad_b_col:
      return fragment_of(part, k, shape.n, width);
    default:
      return fragment_of(part, shape.m, shape.n, width);
  }
}

MatrixJob job_of(Modifier type, bool quads) {
  switch (type) {
    case Modifier::f64:
      return MatrixJob::multiply_doubles;
    case Modifier::b1:
      return MatrixJob::multiply_bits;
    case Modifier::s8:
    case Modifier::u8:
    case Modifier::s4:
    case Modifier::u4:
      return MatrixJob::multiply_integers;
    default:
      return quads ? MatrixJob::multiply_halves : MatrixJob::multiply_floats;
  }
}

// Columns of b that share an index of a sparse a.
uint32_t group_of(Modifier type) { return ptx::bits_of(type) == 32 ? 2 : ptx::bits_of(type) == 4 ? 8 : 4; }

bool set_matrix(Emitter& emitter, const Instruction& instruction, MatrixOperand& matrix,
                const Operand& operand, std::optional<Fragment> fragment, uint32_t registers, Modifier type,
                bool is_destination) {
  if (!fragment) {
    emitter.refuse(instruction, "the virtual GPU has no table of this shape.");
    return false;
  }
  const auto given = registers_of(emitter, operand);
  const uint32_t bits = fragment->bits == 64 ? 64 : 32;
  if (given.size() != registers) {
    emitter.refuse(instruction,
                   fmt::format("a matrix of this shape and type needs {} registers; {} are given.", registers,
                               given.size()));
    return false;
  }
  matrix.number = number_of(type);
  for (size_t i = 0; i < given.size(); ++i) {
    if (emitter.bits_of_register(given[i]) != bits) {
      emitter.refuse(instruction,
                     fmt::format("matrices of this type are held in registers of {} bits.", bits));
      return false;
    }
    matrix.slots[i] = is_destination ? emitter.destination(given[i]) : emitter.source(given[i], bits);
  }
  matrix.fragment = std::move(*fragment);
  return true;
}

// wmma of f64 has rounding modes other than to nearest.
void append_matrix_rounding(Emitter& emitter, uint32_t index, std::span<const Modifier> modifiers) {
  const int mode = has(modifiers, Modifier::rz)   ? FE_TOWARDZERO
                   : has(modifiers, Modifier::rm) ? FE_DOWNWARD
                   : has(modifiers, Modifier::rp) ? FE_UPWARD
                                                  : FE_TONEAREST;
  if (mode == FE_TONEAREST) return;
  emitter.append_rounding(index, mode);
}

bool set_indices(Emitter& emitter, const Instruction& instruction, MatrixOp& matrix,
                 std::span<const Operand> operands, Modifier type) {
  matrix.group = group_of(type);
  const auto indices =
      fragment_of(MatrixPart::indices, matrix.m, matrix.k / matrix.group, ptx::bits_of(type));
  if (!indices) {
    emitter.refuse(instruction, "the virtual GPU has no table of this shape.");
    return false;
  }
  matrix.indices = *indices;
  matrix.indices_slot = emitter.source(operands[4], 32);
  matrix.selector = static_cast<uint32_t>(operands[5].bits);
  const uint32_t selectors = 1u << std::popcount(indices->free_lane_bits);
  if (matrix.selector >= selectors) {
    emitter.refuse(instruction, fmt::format("the selector of this shape is below {}.", selectors));
    return false;
  }
  return true;
}

}  // namespace

std::span<const Operand> registers_of(const Emitter& emitter, const Operand& operand) {
  return operand.kind == OperandKind::vector ? emitter.children(operand)
                                             : std::span<const Operand>(&operand, 1);
}

bool set_stored_matrix(Emitter& emitter, const Instruction& instruction, MatrixOp& matrix,
                       const Operand& operand, bool store) {
  const auto modifiers = emitter.modifiers(instruction);
  const MatrixPart part = has(modifiers, Modifier::part_a)   ? MatrixPart::a
                          : has(modifiers, Modifier::part_b) ? MatrixPart::b
                                                             : MatrixPart::c;
  const Modifier type = types_of(modifiers).front();
  const auto fragment = fragment_for(part, shape_of(modifiers), type);
  const uint32_t registers = fragment ? declared_registers(*fragment, true, part, type) : 0;
  return set_matrix(emitter, instruction, matrix.d, operand, fragment, registers, type, !store);
}

void decode_product(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  emitter.program().needs_whole_warps = true;
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const bool wmma = instruction.opcode == Opcode::wmma;
  std::vector<Modifier> types = types_of(modifiers);
  // wmma of f16 names only d and c.
  if (types.size() == 2) types = {types[0], Modifier::f16, Modifier::f16, types[1]};
  const bool mixed = types[0] != types[3] && shape_of(modifiers).k != 4;
  if (mixed && !wmma) return emitter.refuse(instruction, "c and d must be of one type in this shape.");
  if (types[1] == Modifier::f16 && has(modifiers, Modifier::satfinite))
    return emitter.refuse(instruction, ".satfinite of floats is no longer in the PTX ISA.");
  Shape shape = shape_of(modifiers);
  const bool quads = !wmma && types[1] == Modifier::f16 && shape.k == 4;
  std::vector<bool> columns;
  for (const Modifier m : modifiers) {
    if (m == Modifier::row || m == Modifier::col) columns.push_back(m == Modifier::col);
  }
  const MatrixPart a = !quads ? MatrixPart::a : columns[0] ? MatrixPart::quad_a_col : MatrixPart::quad_a_row;
  const MatrixPart b = !quads ? MatrixPart::b : columns[1] ? MatrixPart::quad_b_col : MatrixPart::quad_b_row;
  const MatrixPart c = quads ? MatrixPart::quad_c : MatrixPart::c;
  MatrixOp matrix;
  matrix.m = shape.m;
  matrix.n = shape.n;
  matrix.k = shape.k;
  matrix.saturate = has(modifiers, Modifier::satfinite);
  matrix.exclusive_or = has(modifiers, Modifier::xor_);
  matrix.halves = wmma && types[1] == Modifier::tf32;
  const bool sparse = operands.size() == 6;
  if (sparse && !set_indices(emitter, instruction, matrix, operands, types[1])) return;
  const auto set = [&](MatrixOperand& to, size_t i, MatrixPart part, Shape size, Modifier type) {
    const auto fragment = fragment_for(part, size, type);
    const uint32_t registers = fragment ? declared_registers(*fragment, wmma, part, type) : 0;
    return set_matrix(emitter, instruction, to, operands[i], fragment, registers, type, i == 0);
  };
  const Shape stored{shape.m, shape.n, sparse ? shape.k / 2 : shape.k};
  if (!set(matrix.d, 0, c, shape, types[0]) || !set(matrix.a, 1, a, stored, types[1]) ||
      !set(matrix.b, 2, b, shape, types[2]) || !set(matrix.c, 3, c, shape, types[3])) {
    return;
  }
  emitter.program().matrices.push_back(std::move(matrix));
  const size_t guard = emitter.begin_guard(index, instruction);
  append_matrix_rounding(emitter, index, modifiers);
  Op op{.handlers = emitter.table().matrix(job_of(types[1], quads))};
  ProductOp{.matrix = static_cast<uint32_t>(emitter.program().matrices.size() - 1)}.write(op);
  emitter.append(index, op);
  emitter.finish_guard(guard);
}

// ldmatrix and stmatrix.
void decode_matrix_rows(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  emitter.program().needs_whole_warps = true;
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const bool store = instruction.opcode == Opcode::stmatrix;
  const auto registers = registers_of(emitter, operands[store ? 1 : 0]);
  const size_t count = has(modifiers, Modifier::x1) ? 1 : has(modifiers, Modifier::x2) ? 2 : 4;
  if (registers.size() != count)
    return emitter.refuse(instruction,
                          fmt::format("it needs {} registers, here are {}.", count, registers.size()));
  const Modifier space = space_of(modifiers);
  MatrixRowsOp rows;
  rows.store = store;
  rows.count = static_cast<uint32_t>(count);
  for (size_t i = 0; i < count; ++i) {
    if (emitter.bits_of_register(registers[i]) != 32)
      return emitter.refuse(instruction, "its registers have 32 bits.");
    rows.slots[i] = store ? emitter.source(registers[i], 32) : emitter.destination(registers[i]);
  }
  rows.transposed = has(modifiers, Modifier::trans);
  rows.generic = space == Modifier::weak;
  rows.counter = emitter.counted(index, CountedOp::Kind::access, Space::shared,
                                 store ? AccessKind::store : AccessKind::load);
  Op op{.handlers = emitter.table().matrix(store ? MatrixJob::store_matrix : MatrixJob::load_matrix)};
  rows.write(op);
  if (!emitter.set_address(op, operands[store ? 0 : 1], space))
    return emitter.refuse(instruction, "this address cannot be resolved.");
  emitter.append_guarded(index, instruction, op);
}

void decode_movmatrix(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  emitter.program().needs_whole_warps = true;
  const auto operands = emitter.operands(instruction);
  const size_t guard = emitter.begin_guard(index, instruction);
  emitter.append(index, {.handlers = emitter.table().matrix(MatrixJob::transpose),
                         .d = emitter.destination(operands[0]),
                         .a = emitter.source(operands[1], 32)});
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
