// wmma.load and wmma.store, PTX ISA 9.7.14.4: for each register, the addresses of its elements, then ordinary
// loads or stores of them, which are counted, checked and recorded like any other.
#include "core/exec/matrix/matrix_op.h"
#include "core/ir/decoder.h"

namespace warplens::ir {

namespace {

using exec::Fragment;
using exec::MatrixJob;
using exec::MatrixPart;

Space space_for_report(Modifier space) {
  return space == Modifier::global   ? Space::global
         : space == Modifier::shared ? Space::shared
                                     : Space::generic;
}

Modifier bits_type(uint32_t bits) {
  return bits == 64 ? Modifier::b64 : bits == 32 ? Modifier::b32 : bits == 16 ? Modifier::b16 : Modifier::u8;
}

// Whether the elements of a register lie side by side where lines of the matrix are rows, or columns.
bool side_by_side(const Fragment& fragment, uint32_t element, bool by_columns) {
  const uint32_t packed = fragment.bits >= 32 ? 1 : 32 / fragment.bits;
  const uint32_t step = by_columns ? fragment.columns : 1;
  const uint32_t first = fragment.place[element * 32];
  for (uint32_t i = 1; i < packed; ++i) {
    if (fragment.place[(element + i) * 32] != first + i * step) return false;
  }
  return true;
}

}  // namespace

struct Decoder::WmmaMemory {
  uint32_t index = 0;
  bool store = false, by_columns = false;
  Modifier space{};
  Op base;  // the address, the stride, and the matrix
  uint32_t address_slot = 0;
  std::array<uint32_t, 4> parts{};  // of elements that do not lie side by side
};

// One load or store of so many bits, from or to the slot.
bool Decoder::append_element(const WmmaMemory& memory, uint32_t element, uint32_t bits, uint32_t slot) {
  Op address = memory.base;
  address.d = memory.address_slot;
  address.c = element;
  append(memory.index, address);
  Selector s;
  s.opcode = memory.store ? Opcode::st : Opcode::ld;
  s.type = s.source_type = bits_type(bits);
  s.operation = memory.space;
  s.destination_bits = static_cast<uint8_t>(std::max(bits, 16u));
  Op op{.d = slot, .a = memory.address_slot, .b = no_slot, .c = no_slot, .e = no_slot};
  op.bytes = static_cast<uint8_t>(bits / 8);
  if (memory.store) op.flags |= exec::flag_store;
  op.state = counted(memory.index, CountedOp::Kind::access, space_for_report(memory.space),
                     memory.store ? AccessKind::store : AccessKind::load);
  return emit(memory.index, s, op);
}

// A register whose elements lie apart: they go through slots of their own.
bool Decoder::append_parts(const WmmaMemory& memory, uint32_t element, uint32_t bits, uint32_t slot) {
  const uint32_t count = 32 / bits;
  Selector s;
  s.opcode = Opcode::mov;
  s.type = s.source_type = Modifier::b32;
  s.vector = static_cast<uint8_t>(count);
  if (memory.store) {
    s.source_bits = 32;
    if (!emit(memory.index, s,
              {.d = memory.parts[0], .a = slot, .b = memory.parts[1], .c = no_slot, .e = no_slot})) {
      return false;
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!append_element(memory, element + i, bits, memory.parts[i])) return false;
  }
  if (memory.store) return true;
  const Op join{
      .d = slot, .a = memory.parts[0], .b = memory.parts[1], .c = memory.parts[2], .e = memory.parts[3]};
  if (bits == 8) {
    append(memory.index, join).handlers = m_table.matrix(MatrixJob::join_bytes);
    return true;
  }
  s.source_bits = 16;
  return emit(memory.index, s, join);
}

void Decoder::decode_wmma_memory(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  WmmaMemory memory;
  memory.index = index;
  memory.store = has(modifiers, Modifier::store);
  memory.by_columns = has(modifiers, Modifier::col);
  memory.space = space_of(modifiers);
  exec::MatrixOp matrix;
  if (!set_stored_matrix(instruction, matrix, operands[memory.store ? 1 : 0], memory.store)) return;
  const Fragment& fragment = matrix.d.fragment;
  memory.base.handlers = m_table.matrix(MatrixJob::element_address);
  if (!set_address(memory.base, operands[memory.store ? 0 : 1], memory.space))
    return refuse(instruction, "this address cannot be resolved.");
  if (memory.by_columns) memory.base.extra |= exec::matrix_transposed;
  const bool bits = fragment.bits == 32 && has(modifiers, Modifier::b1);
  const uint32_t line = memory.by_columns ? fragment.rows : fragment.columns;
  const uint32_t stride = operands.size() > 2 && operands[2].kind != OperandKind::immediate
                              ? source(operands[2], 32)
                              : m_frame.constant(m_program, stride_of(operands, bits, line), 32);
  if (stride == no_slot || (bits && operands.size() > 2 && operands[2].kind != OperandKind::immediate))
    return refuse(instruction, "the stride of a matrix of bits must be a number.");
  memory.base.b = stride;
  memory.base.e = static_cast<uint32_t>(m_program.matrices.size());
  memory.address_slot = m_frame.lanes(64);
  for (uint32_t& part : memory.parts) part = m_frame.lanes(16);
  const auto slots = matrix.d.slots;
  const uint32_t declared = static_cast<uint32_t>(registers_of(operands[memory.store ? 1 : 0]).size());
  m_program.matrices.push_back(std::move(matrix));
  const Fragment& kept = m_program.matrices.back().d.fragment;
  const size_t guard = begin_guard(index, instruction);
  const uint32_t packed = kept.bits >= 32 ? 1 : 32 / kept.bits;
  const uint32_t registers = kept.registers();
  for (uint32_t r = 0; r < registers; ++r) {
    const bool together = kept.bits >= 32 || side_by_side(kept, r * packed, memory.by_columns);
    const bool good = together ? append_element(memory, r * packed, kept.bits == 64 ? 64 : 32, slots[r])
                               : kept.bits >= 8 && append_parts(memory, r * packed, kept.bits, slots[r]);
    if (!good) return refuse(instruction);
  }
  // f16 has more registers than it needs: the same again.
  for (uint32_t r = registers; r < declared && !memory.store; ++r) {
    Selector copy;
    copy.opcode = Opcode::mov;
    copy.type = copy.source_type = Modifier::b32;
    if (!emit(index, copy, {.d = slots[r], .a = slots[r % registers]})) return refuse(instruction);
  }
  finish_guard(guard);
}

// In elements; those of bits are words.
uint64_t Decoder::stride_of(std::span<const Operand> operands, bool bits, uint32_t line) {
  if (operands.size() < 3) return line;
  return bits ? operands[2].bits / 32 : operands[2].bits;
}

}  // namespace warplens::ir
