// wmma.load and wmma.store, PTX ISA 9.7.14.4: for each register, the addresses of its elements, then ordinary
// loads or stores of them, which are counted, checked and recorded like any other. They are the same accesses
// as those of ptxas, except for ldmatrix (tests/data/truth/wmma_h200.json): two registers of 32 or 64 bits
// that are adjacent in memory are one access, and 16-bit elements that are not adjacent are read along the
// memory and then transposed.
#include "core/program/decode/families.h"
#include "core/program/decode/matrix_operand.h"
#include "core/program/op/matrix_op.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

namespace {

Modifier bits_type(uint32_t bits) {
  return bits == 64 ? Modifier::b64 : bits == 32 ? Modifier::b32 : bits == 16 ? Modifier::b16 : Modifier::u8;
}

// Whether the elements of a register are adjacent if lines of the matrix are rows, or columns.
bool side_by_side(const Fragment& fragment, uint32_t element, bool by_columns) {
  const uint32_t packed = fragment.bits >= 32 ? 1 : 32 / fragment.bits;
  const uint32_t step = by_columns ? fragment.columns : 1;
  const uint32_t first = fragment.place[element * 32];
  for (uint32_t i = 1; i < packed; ++i) {
    if (fragment.place[(element + i) * 32] != first + i * step) return false;
  }
  return true;
}

// Whether every lane's elements r and r + 1 of 32 or 64 bits are adjacent, the first at an even index.
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

// For a register of two 16-bit elements that are not adjacent, if it is part of an 8 × 8 block that movmatrix
// can transpose: the places after the last one are then those of its transpose, in which the two elements of
// each lane are adjacent.
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

struct WmmaMemory {
  uint32_t index = 0;
  bool store = false;
  Modifier space{};
  AddressOp address;  // of the matrix
  ElementAddressOp element;
  uint32_t second = no_slot;        // the second of two registers that one access moves
  std::array<uint32_t, 4> parts{};  // for elements that are not adjacent
};

// A load or store of this many bits, from or to the slot; of twice as many if there is a second one.
bool append_element(Emitter& emitter, const WmmaMemory& memory, uint32_t element, uint32_t bits,
                    uint32_t slot) {
  Op address{.handlers = emitter.table().matrix(MatrixJob::element_address)};
  ElementAddressOp at = memory.element;
  at.element = element;
  at.write(address);
  memory.address.write(address);
  emitter.append(memory.index, address);
  Selector s;
  s.opcode = memory.store ? Opcode::st : Opcode::ld;
  s.type = s.source_type = bits_type(bits);
  s.operation = memory.space;
  s.destination_bits = static_cast<uint8_t>(std::max(bits, 16u));
  Op op{.d = slot, .b = memory.second, .c = no_slot, .e = no_slot};
  if (memory.second != no_slot) s.vector = 2;
  AccessOp access{.kind = memory.store ? AccessKind::store : AccessKind::load};
  access.bytes = static_cast<uint8_t>(bits / 8 * s.vector);
  access.counter =
      emitter.counted(memory.index, CountedOp::Kind::access, space_for_report(memory.space), access.kind);
  access.write(op);
  AddressOp{.base = memory.element.result, .is_in_short_space = is_short_space(memory.space)}.write(op);
  return emitter.emit(memory.index, s, op);
}

// A register whose elements are not adjacent: they use temporary slots.
bool append_parts(Emitter& emitter, const WmmaMemory& memory, uint32_t element, uint32_t bits,
                  uint32_t slot) {
  const uint32_t count = 32 / bits;
  Selector s;
  s.opcode = Opcode::mov;
  s.type = s.source_type = Modifier::b32;
  s.vector = static_cast<uint8_t>(count);
  if (memory.store) {
    s.source_bits = 32;
    if (!emitter.emit(memory.index, s,
                      {.d = memory.parts[0], .a = slot, .b = memory.parts[1], .c = no_slot, .e = no_slot})) {
      return false;
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!append_element(emitter, memory, element + i, bits, memory.parts[i])) return false;
  }
  if (memory.store) return true;
  const Op join{
      .d = slot, .a = memory.parts[0], .b = memory.parts[1], .c = memory.parts[2], .e = memory.parts[3]};
  if (bits == 8) {
    emitter.append(memory.index, join).handlers = emitter.table().matrix(MatrixJob::join_bytes);
    return true;
  }
  s.source_bits = 16;
  return emitter.emit(memory.index, s, join);
}

// In elements; for bits, an element is a word.
uint64_t stride_of(std::span<const Operand> operands, bool bits, uint32_t line) {
  if (operands.size() < 3) return line;
  return bits ? operands[2].bits / 32 : operands[2].bits;
}

// Sets the address and the stride. False if the instruction is refused.
bool set_wmma_address(Emitter& emitter, const Instruction& instruction, const Fragment& fragment,
                      WmmaMemory& memory) {
  const auto operands = emitter.operands(instruction);
  Op address;
  if (!emitter.set_address(address, operands[memory.store ? 0 : 1], memory.space)) {
    emitter.refuse(instruction, "this address cannot be resolved.");
    return false;
  }
  memory.address = AddressOp::of(address);
  const bool bits = fragment.bits == 32 && has(emitter.modifiers(instruction), Modifier::b1);
  const bool computed = operands.size() > 2 && operands[2].kind != OperandKind::immediate;
  const uint32_t line = memory.element.by_columns ? fragment.rows : fragment.columns;
  memory.element.stride =
      computed ? emitter.source(operands[2], 32) : emitter.constant(stride_of(operands, bits, line), 32);
  if (memory.element.stride != no_slot && !(bits && computed)) return true;
  emitter.refuse(instruction, "the stride of a matrix of bits must be a number.");
  return false;
}

// For each register of 16-bit elements that are not adjacent: the first of its transposed places, which are
// added to the fragment; 0 if there is none.
std::array<uint32_t, 16> transposed_elements(Fragment& fragment, bool by_columns) {
  std::array<uint32_t, 16> transposed{};
  const uint32_t registers = fragment.registers();
  for (uint32_t r = 0; r < registers && fragment.bits == 16 && r < transposed.size(); ++r) {
    const auto next = static_cast<uint32_t>(fragment.place.size() / 32);
    if (!side_by_side(fragment, r * 2, by_columns) && add_transposed(fragment, r * 2, by_columns))
      transposed[r] = next;
  }
  return transposed;
}

// Moves a register through the transpose of its 8 × 8 block, in `word`.
bool append_transposed(Emitter& emitter, const WmmaMemory& memory, uint32_t element, uint32_t slot,
                       uint32_t word) {
  const auto turn = [&](uint32_t to, uint32_t from) {
    emitter.append(memory.index,
                   {.handlers = emitter.table().matrix(MatrixJob::transpose), .d = to, .a = from});
  };
  if (memory.store) turn(word, slot);
  const bool good = append_element(emitter, memory, element, 32, word);
  if (!memory.store) turn(slot, word);
  return good;
}

void decode_wmma_memory(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  WmmaMemory memory;
  memory.index = index;
  memory.store = has(modifiers, Modifier::store);
  memory.element.by_columns = has(modifiers, Modifier::col);
  memory.space = space_of(modifiers);
  const Operand& values = operands[memory.store ? 1 : 0];
  MatrixOp matrix;
  if (!set_stored_matrix(emitter, instruction, matrix, values, memory.store)) return;
  Fragment& fragment = matrix.d.fragment;
  if (!set_wmma_address(emitter, instruction, fragment, memory)) return;
  memory.element.matrix = static_cast<uint32_t>(emitter.program().matrices.size());
  memory.element.result = emitter.lanes(64);
  for (uint32_t& part : memory.parts) part = emitter.lanes(16);
  const uint32_t bits = fragment.bits, packed = bits >= 32 ? 1 : 32 / bits, registers = fragment.registers();
  const auto transposed = transposed_elements(fragment, memory.element.by_columns);
  const uint32_t word = emitter.lanes(32);
  const auto slots = matrix.d.slots;
  const size_t guard = emitter.begin_guard(index, instruction);
  for (uint32_t r = 0; r < registers; ++r) {
    const bool together = bits >= 32 || side_by_side(fragment, r * packed, memory.element.by_columns);
    const bool pair = r + 1 < registers && neighbours(fragment, r, memory.element.by_columns);
    memory.second = pair ? slots[r + 1] : no_slot;
    const bool good = together ? append_element(emitter, memory, r * packed, bits == 64 ? 64 : 32, slots[r])
                      : r < transposed.size() && transposed[r] != 0
                          ? append_transposed(emitter, memory, transposed[r], slots[r], word)
                          : bits >= 8 && append_parts(emitter, memory, r * packed, bits, slots[r]);
    if (!good) return emitter.refuse(instruction);
    r += pair;
  }
  // f16 has more registers than it needs: they contain the same elements again.
  const auto declared = static_cast<uint32_t>(registers_of(emitter, values).size());
  for (uint32_t r = registers; r < declared && !memory.store; ++r)
    emitter.copy(index, 32, slots[r], slots[r % registers]);
  emitter.finish_guard(guard);
  emitter.program().matrices.push_back(std::move(matrix));
}

}  // namespace

void decode_wmma(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  if (has(emitter.modifiers(instruction), Modifier::mma)) return decode_product(emitter, index, instruction);
  emitter.program().needs_whole_warps = true;
  decode_wmma_memory(emitter, index, instruction);
}

}  // namespace warplens::program
