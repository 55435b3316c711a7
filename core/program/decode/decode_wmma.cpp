// wmma.load and wmma.store, PTX ISA 9.7.14.4: for each register, the addresses of its elements, then ordinary
// loads or stores of them, which are counted, checked and recorded like any other. They are those that ptxas
// makes, but for ldmatrix (tests/truth/wmma_h200.json): two registers of 32 or 64 bits that lie side by side
// in memory are one access, and 16-bit elements that lie apart are read along the memory and then transposed.
#include "core/program/decode/decoder.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {

namespace {

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

// Whether every lane's elements r and r + 1 of 32 or 64 bits lie side by side, the first at an even place.
bool neighbours(const Fragment& fragment, uint32_t r, bool by_columns) {
  if (fragment.bits < 32) return false;
  const uint32_t step = by_columns ? fragment.columns : 1;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t first = fragment.place[r * 32 + lane];
    const uint32_t in_line = by_columns ? first / fragment.columns : first % fragment.columns;
    if (in_line % 2 != 0 || fragment.place[(r + 1) * 32 + lane] != first + step) return false;
  }
  return true;
}

// A register of two 16-bit elements that lie apart, where it is a part of an 8 × 8 block as movmatrix takes
// it: the places behind the last are then of its transpose, where each lane finds two elements side by side.
bool add_transposed(Fragment& fragment, uint32_t element, bool by_columns) {
  const auto place = [&](uint32_t i, int32_t lane) {
    return int32_t{fragment.place[(element + i) * 32 + static_cast<uint32_t>(lane)]};
  };
  const int32_t origin = place(0, 0), across = place(1, 0) - origin, along = place(0, 4) - origin;
  if (along != (by_columns ? static_cast<int32_t>(fragment.columns) : 1)) return false;
  std::array<uint16_t, 32> places{};
  for (int32_t lane = 0; lane < 32; ++lane) {
    const int32_t high = lane / 4, low = lane % 4 * 2;
    if (place(0, lane) != origin + high * along + low * across || place(1, lane) != place(0, lane) + across)
      return false;
    places[static_cast<size_t>(lane)] = static_cast<uint16_t>(origin + low * along + high * across);
  }
  fragment.place.insert(fragment.place.end(), places.begin(), places.end());
  return true;
}

}  // namespace

struct Decoder::WmmaMemory {
  uint32_t index = 0;
  bool store = false, by_columns = false;
  Modifier space{};
  Op base;  // the address, the stride, and the matrix
  uint32_t address_slot = 0;
  uint32_t second = no_slot;        // of two registers that one access moves
  std::array<uint32_t, 4> parts{};  // of elements that do not lie side by side
};

// One load or store of so many bits, from or to the slot; of twice as many where there is a second one.
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
  Op op{.d = slot, .a = memory.address_slot, .b = memory.second, .c = no_slot, .e = no_slot};
  if (memory.second != no_slot) s.vector = 2;
  op.bytes = static_cast<uint8_t>(bits / 8 * s.vector);
  if (memory.store) op.flags |= flag_store;
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
  MatrixOp matrix;
  if (!set_stored_matrix(instruction, matrix, operands[memory.store ? 1 : 0], memory.store)) return;
  const Fragment& fragment = matrix.d.fragment;
  memory.base.handlers = m_table.matrix(MatrixJob::element_address);
  if (!set_address(memory.base, operands[memory.store ? 0 : 1], memory.space))
    return refuse(instruction, "this address cannot be resolved.");
  if (memory.by_columns) memory.base.extra |= matrix_transposed;
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
  const uint32_t packed = fragment.bits >= 32 ? 1 : 32 / fragment.bits;
  const uint32_t registers = fragment.registers();
  std::array<uint32_t, 16> transposed{};  // of a register: the element of its transposed places; 0: none
  for (uint32_t r = 0; r < registers && fragment.bits == 16 && r < transposed.size(); ++r) {
    const auto next = static_cast<uint32_t>(fragment.place.size() / 32);
    if (!side_by_side(fragment, r * packed, memory.by_columns) &&
        add_transposed(matrix.d.fragment, r * packed, memory.by_columns))
      transposed[r] = next;
  }
  const uint32_t word = m_frame.lanes(32);
  const auto append_transposed = [&](uint32_t r) {
    const auto turn = [&](uint32_t to, uint32_t from) {
      append(index, {.handlers = m_table.matrix(MatrixJob::transpose), .d = to, .a = from});
    };
    if (memory.store) turn(word, slots[r]);
    const bool good = append_element(memory, transposed[r], 32, word);
    if (!memory.store) turn(slots[r], word);
    return good;
  };
  const uint32_t declared = static_cast<uint32_t>(registers_of(operands[memory.store ? 1 : 0]).size());
  m_program.matrices.push_back(std::move(matrix));
  const Fragment& kept = m_program.matrices.back().d.fragment;
  const size_t guard = begin_guard(index, instruction);
  for (uint32_t r = 0; r < registers; ++r) {
    const bool together = kept.bits >= 32 || side_by_side(kept, r * packed, memory.by_columns);
    const bool pair = r + 1 < registers && neighbours(kept, r, memory.by_columns);
    memory.second = pair ? slots[r + 1] : no_slot;
    const bool good = together ? append_element(memory, r * packed, kept.bits == 64 ? 64 : 32, slots[r])
                      : r < transposed.size() && transposed[r] != 0
                          ? append_transposed(r)
                          : kept.bits >= 8 && append_parts(memory, r * packed, kept.bits, slots[r]);
    if (!good) return refuse(instruction);
    r += pair;
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

}  // namespace warplens::program
