// atom and red.
#include "core/program/decode/families.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

namespace {

// A compiler writes atom even if the old value is not used. For operations that red also has, the order then
// has no effect. In a function, the old value may be what the function returns.
bool is_unread_sum(const Emitter& emitter, const Operand& result, const Selector& s) {
  if (!emitter.function().is_entry) return false;
  if (s.operation == Modifier::exch || s.operation == Modifier::cas) return false;
  return s.vector == 1 && result.kind == OperandKind::reg && result.component == 255 &&
         emitter.register_at(result.index).first_read == DecodedRegister::never;
}

// Copies between the elements of a vector operand and adjacent registers.
bool copy_elements(Emitter& emitter, uint32_t index, const Operand& vector, uint32_t first, uint32_t bits,
                   bool in) {
  if (vector.kind != OperandKind::vector) return false;
  const auto elements = emitter.children(vector);
  for (uint32_t i = 0; i < elements.size(); ++i) {
    const uint32_t beside = first + i * Frame::exec_bytes(bits);
    if (elements[i].kind == OperandKind::sink && !in) continue;
    const uint32_t element = in ? emitter.source(elements[i], bits) : emitter.destination(elements[i]);
    if (element == no_slot) return false;
    if (!emitter.copy(index, bits == 16 ? 16 : 32, in ? beside : element, in ? element : beside))
      return false;
  }
  return true;
}

}  // namespace

void decode_atomic(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  Selector s = selector_of(instruction, modifiers);
  s.source_type = space_of(modifiers);
  for (Modifier m : modifiers) {
    const ModifierKind kind = ptx::kind_of(m);
    if (kind == ModifierKind::operation || kind == ModifierKind::boolean) s.operation = m;
  }
  s.has_boolean = false;
  const size_t first = instruction.opcode == Opcode::atom ? 1 : 0;
  const uint32_t bits = ptx::bits_of(s.type);
  Op op;
  AccessOp access{.kind = AccessKind::atomic, .elements = s.vector};
  const bool is_read = first == 1 && !is_unread_sum(emitter, operands[0], s);
  if (is_read) emitter.program().may_spin = true;
  const bool fetches = is_read || (first == 1 && emitter.program().for_stepping);
  const Operand& values = operands[first + 1];
  const bool vector = s.vector > 1;
  // The elements of a vector are copied to adjacent registers, and their old values back.
  const uint32_t old = vector && first == 1 ? emitter.adjacent(s.vector, bits) : no_slot;
  op.d = vector ? old : fetches ? emitter.destination(operands[0]) : no_slot;
  op.b = vector ? emitter.adjacent(s.vector, bits) : emitter.source(values, register_bits(s.type));
  op.c = s.operation == Modifier::cas ? emitter.source(operands[first + 2], register_bits(s.type)) : no_slot;
  access.bytes = static_cast<uint8_t>(bits / 8 * s.vector);
  if (op.b == no_slot || !emitter.set_address(op, operands[first], s.source_type))
    return emitter.refuse(instruction);
  access.counter = emitter.count_access(index, s.source_type, AccessKind::atomic);
  if (s.operation == Modifier::cas)
    for (size_t i = access.counter; i < emitter.program().counted.size(); ++i)
      emitter.program().counted[i].two_operands = true;
  const bool sums = s.operation == Modifier::add || s.operation == Modifier::min ||
                    s.operation == Modifier::max || s.operation == Modifier::and_ ||
                    s.operation == Modifier::or_ || s.operation == Modifier::xor_;
  const Operand& address = operands[first];
  const bool one_address =
      address.base != OperandKind::reg ||
      emitter.is_launch_constant(Operand{.kind = OperandKind::reg, .index = address.index});
  if (sums && !is_read && !ptx::is_float(s.type) && one_address)
    emitter.program().counted[access.counter].merges = true;
  access.write(op);
  const bool simple =
      !vector && (bits == 32 || bits == 64) && s.type != Modifier::f16x2 && s.type != Modifier::bf16x2;
  if (s.source_type != Modifier::shared && (op.d != no_slot || ptx::is_float(s.type) || !simple))
    emitter.program().order_dependent = true;
  const size_t guard = emitter.begin_guard(index, instruction);
  if (vector && !copy_elements(emitter, index, values, op.b, bits, true)) return emitter.refuse(instruction);
  if (!emitter.emit(index, s, op)) return emitter.refuse(instruction);
  if (old != no_slot && !copy_elements(emitter, index, operands[0], old, bits, false))
    return emitter.refuse(instruction);
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
