// Matrix instructions, PTX ISA 9.7.14: mma, wmma, ldmatrix, stmatrix, movmatrix.
#include <fmt/format.h>

#include <cfenv>

#include "core/program/decode/decoder.h"
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

// Bits lie 32 to an element, which is all that anyone does with them.
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

}  // namespace

// The registers of a matrix in braces, or the one without.
std::span<const Operand> Decoder::registers_of(const Operand& operand) const {
  return operand.kind == OperandKind::vector ? m_function.children_of(operand)
                                             : std::span<const Operand>(&operand, 1);
}

bool Decoder::set_matrix(const Instruction& instruction, MatrixOperand& matrix, const Operand& operand,
                         std::optional<Fragment> fragment, uint32_t registers, Modifier type,
                         bool is_destination) {
  if (!fragment) {
    refuse(instruction, "the virtual GPU has no table of this shape.");
    return false;
  }
  const auto given = registers_of(operand);
  const uint32_t bits = fragment->bits == 64 ? 64 : 32;
  if (given.size() != registers) {
    refuse(instruction, fmt::format("a matrix of this shape and type lies in {} registers, here are {}.",
                                    registers, given.size()));
    return false;
  }
  matrix.number = number_of(type);
  for (size_t i = 0; i < given.size(); ++i) {
    if (bits_of_register(given[i]) != bits) {
      refuse(instruction, fmt::format("matrices of this type lie in registers of {} bits.", bits));
      return false;
    }
    matrix.slots[i] = is_destination ? destination(given[i]) : source(given[i], bits);
  }
  matrix.fragment = std::move(*fragment);
  return true;
}

void Decoder::decode_product(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  const bool wmma = instruction.opcode == Opcode::wmma;
  std::vector<Modifier> types = types_of(modifiers);
  // wmma of f16 names d and c alone.
  if (types.size() == 2) types = {types[0], Modifier::f16, Modifier::f16, types[1]};
  const bool mixed = types[0] != types[3] && shape_of(modifiers).k != 4;
  if (mixed && !wmma) return refuse(instruction, "c and d must be of one type in this shape.");
  if (types[1] == Modifier::f16 && has(modifiers, Modifier::satfinite))
    return refuse(instruction, ".satfinite of floats is no longer in the PTX ISA.");
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
  if (sparse && !set_indices(instruction, matrix, operands, types[1])) return;
  const auto set = [&](MatrixOperand& to, size_t i, MatrixPart part, Shape size, Modifier type) {
    const auto fragment = fragment_for(part, size, type);
    const uint32_t registers = fragment ? declared_registers(*fragment, wmma, part, type) : 0;
    return set_matrix(instruction, to, operands[i], fragment, registers, type, i == 0);
  };
  const Shape stored{shape.m, shape.n, sparse ? shape.k / 2 : shape.k};
  if (!set(matrix.d, 0, c, shape, types[0]) || !set(matrix.a, 1, a, stored, types[1]) ||
      !set(matrix.b, 2, b, shape, types[2]) || !set(matrix.c, 3, c, shape, types[3])) {
    return;
  }
  m_program.matrices.push_back(std::move(matrix));
  const size_t guard = begin_guard(index, instruction);
  append_rounding(index, modifiers);
  append(index, {.handlers = m_table.matrix(job_of(types[1], quads)),
                 .e = static_cast<uint32_t>(m_program.matrices.size() - 1)});
  finish_guard(guard);
}

// wmma of f64 can round in other ways than to nearest.
void Decoder::append_rounding(uint32_t index, std::span<const Modifier> modifiers) {
  const int mode = has(modifiers, Modifier::rz)   ? FE_TOWARDZERO
                   : has(modifiers, Modifier::rm) ? FE_DOWNWARD
                   : has(modifiers, Modifier::rp) ? FE_UPWARD
                                                  : FE_TONEAREST;
  if (mode == FE_TONEAREST) return;
  append(index, {.handlers = m_table.both(Routine::rounded), .immediate = mode});
}

bool Decoder::set_indices(const Instruction& instruction, MatrixOp& matrix, std::span<const Operand> operands,
                          Modifier type) {
  matrix.group = group_of(type);
  const auto indices =
      fragment_of(MatrixPart::indices, matrix.m, matrix.k / matrix.group, ptx::bits_of(type));
  if (!indices) {
    refuse(instruction, "the virtual GPU has no table of this shape.");
    return false;
  }
  matrix.indices = *indices;
  matrix.indices_slot = source(operands[4], 32);
  matrix.selector = static_cast<uint32_t>(operands[5].bits);
  const uint32_t selectors = 1u << std::popcount(indices->free_lane_bits);
  if (matrix.selector >= selectors) {
    refuse(instruction, fmt::format("the selector of this shape is below {}.", selectors));
    return false;
  }
  return true;
}

// The matrix that wmma.load or wmma.store names, as matrix.d.
bool Decoder::set_stored_matrix(const Instruction& instruction, MatrixOp& matrix, const Operand& operand,
                                bool store) {
  const auto modifiers = m_function.modifiers_of(instruction);
  const MatrixPart part = has(modifiers, Modifier::part_a)   ? MatrixPart::a
                          : has(modifiers, Modifier::part_b) ? MatrixPart::b
                                                             : MatrixPart::c;
  const Modifier type = types_of(modifiers).front();
  const auto fragment = fragment_for(part, shape_of(modifiers), type);
  const uint32_t registers = fragment ? declared_registers(*fragment, true, part, type) : 0;
  return set_matrix(instruction, matrix.d, operand, fragment, registers, type, !store);
}

// ldmatrix and stmatrix.
void Decoder::decode_matrix_rows(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  const bool store = instruction.opcode == Opcode::stmatrix;
  const auto registers = registers_of(operands[store ? 1 : 0]);
  const size_t count = has(modifiers, Modifier::x1) ? 1 : has(modifiers, Modifier::x2) ? 2 : 4;
  if (registers.size() != count)
    return refuse(instruction, fmt::format("it needs {} registers, here are {}.", count, registers.size()));
  Op op{.handlers = m_table.matrix(store ? MatrixJob::store_matrix : MatrixJob::load_matrix)};
  uint32_t* const slots[4] = {&op.d, &op.b, &op.c, &op.e};
  for (size_t i = 0; i < count; ++i) {
    if (bits_of_register(registers[i]) != 32) return refuse(instruction, "its registers have 32 bits.");
    *slots[i] = store ? source(registers[i], 32) : destination(registers[i]);
  }
  const Modifier space = space_of(modifiers);
  op.bytes = static_cast<uint8_t>(16 * count);
  if (store) op.flags |= flag_store;
  if (has(modifiers, Modifier::trans)) op.extra |= matrix_transposed;
  if (space == Modifier::weak) op.extra |= matrix_generic;
  if (!set_address(op, operands[store ? 0 : 1], space))
    return refuse(instruction, "this address cannot be resolved.");
  op.state =
      counted(index, CountedOp::Kind::access, Space::shared, store ? AccessKind::store : AccessKind::load);
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

void Decoder::decode_movmatrix(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const size_t guard = begin_guard(index, instruction);
  append(index, {.handlers = m_table.matrix(MatrixJob::transpose),
                 .d = destination(operands[0]),
                 .a = source(operands[1], 32)});
  finish_guard(guard);
}

}  // namespace warplens::program
