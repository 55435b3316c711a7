// Loads, stores and atomics.
#include "core/program/decode/decoder.h"

#include "core/program/op/address_space.h"

namespace warplens::program {

Space space_for_report(Modifier space) {
  switch (space) {
    case Modifier::global:
      return Space::global;
    case Modifier::shared:
      return Space::shared;
    case Modifier::local:
      return Space::local;
    case Modifier::constant:
      return Space::constant;
    case Modifier::param:
      return Space::parameter;
    default:
      return Space::generic;
  }
}

// The address of an access: a register and an offset, or a place that is known now. False: cannot be one.
bool Decoder::set_address(Op& op, const Operand& address, Modifier space) {
  if (address.base == OperandKind::reg) {
    op.a = component_slot(address.index, address.component);
    op.immediate = address.offset;
    if (register_bits(m_function.registers[address.index].type) == 32) op.flags |= flag_address32;
    return register_bits(m_function.registers[address.index].type) >= 32;
  }
  if (address.base == OperandKind::symbol && is_on_stack(address)) {
    op.a = m_code.base_slot;
    op.immediate = static_cast<int64_t>(m_layout.address_of(address).value_or(0));
    if (space == Modifier::weak) op.immediate += static_cast<int64_t>(local_window);
    return true;
  }
  op.flags |= flag_constant;
  if (address.base == OperandKind::immediate) {
    op.immediate = static_cast<int64_t>(address.bits) + address.offset;
    return true;
  }
  const std::optional<uint64_t> at = m_layout.address_of(address);
  if (!at) return false;
  op.immediate = static_cast<int64_t>(*at);
  if (space == Modifier::weak && m_layout.space_of(address) == ptx::StateSpace::shared)
    op.immediate += static_cast<int64_t>(shared_window);
  if (space == Modifier::weak && m_layout.space_of(address) == ptx::StateSpace::local)
    op.immediate += static_cast<int64_t>(local_window);
  return true;
}

void Decoder::decode_access(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  Selector s = selector_of(instruction, modifiers);
  const bool store = instruction.opcode == Opcode::st;
  const Operand& address = operands[store ? 0 : 1];
  const Operand& data = operands[store ? 1 : 0];
  s.operation = space_of(modifiers);
  if (instruction.opcode == Opcode::ldu && s.operation == Modifier::weak) s.operation = Modifier::global;
  const bool is_parameter = s.operation == Modifier::param || s.operation == Modifier::param_func;
  if (s.vector > 4) return refuse(instruction, "vectors of eight are for sm_100 and later.");
  if (is_parameter && m_function.is_entry && load_parameter(index, instruction, s, data, address)) return;
  Op op;
  for (Modifier m : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::mmio, Modifier::cv})
    m_program.may_spin = m_program.may_spin || (!store && has(modifiers, m));
  // A vector register without braces stands for its components.
  std::vector<Operand> components;
  if (data.kind == OperandKind::reg && s.vector > 1) {
    components.assign(s.vector, data);
    for (uint8_t i = 0; i < s.vector; ++i) components[i].component = i;
  }
  const std::span<const Operand> values = data.kind == OperandKind::vector ? m_function.children_of(data)
                                          : components.empty() ? std::span<const Operand>(&data, 1)
                                                               : components;
  uint32_t* const slots[4] = {&op.d, &op.b, &op.c, &op.e};
  uint32_t width = register_bits(s.type);
  for (const Operand& value : values) width = std::max(width, bits_of_register(value));
  for (uint32_t* const slot : slots) *slot = no_slot;
  for (size_t i = 0; i < values.size() && i < 4; ++i) {
    *slots[i] = store ? source(values[i], width) : destination(values[i]);
    if (store && *slots[i] == no_slot) return refuse(instruction);
  }
  s.destination_bits = static_cast<uint8_t>(width);
  op.bytes = static_cast<uint8_t>(ptx::bits_of(s.type) / 8 * s.vector);
  if (store) op.flags |= flag_store;
  op.extra = static_cast<uint8_t>(width / 8);
  if (is_parameter && set_passed_address(op, address, ptx::bits_of(s.type) / 8)) {
    s.operation = Modifier::param_func;
    const size_t guarded = begin_guard(index, instruction);
    if (!emit(index, s, op)) return refuse(instruction);
    return finish_guard(guarded);
  }
  const bool is_spilled = is_parameter && !m_function.is_entry && !store &&
                          address.base == OperandKind::symbol &&
                          m_layout.space_of(address) == ptx::StateSpace::local;
  if (is_spilled) {
    s.operation = Modifier::local;
  } else if (is_parameter && (store || !m_function.is_entry)) {
    return refuse(instruction,
                  "parameters of a function are read and written by their names, within their bytes.");
  }
  if (is_parameter && !is_spilled) s.operation = Modifier::param;
  if (!set_address(op, address, s.operation)) return refuse(instruction, "this address cannot be resolved.");
  op.state = count_access(index, s.operation, store ? AccessKind::store : AccessKind::load);
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, op)) return refuse(instruction);
  finish_guard(guard);
}

// A generic access has three counters, one behind the other: for what ends in global, shared, local memory.
uint32_t Decoder::count_access(uint32_t index, Modifier space, AccessKind access) {
  const bool generic = space_for_report(space) == Space::generic;
  const uint32_t first =
      counted(index, CountedOp::Kind::access, generic ? Space::global : space_for_report(space), access);
  if (!generic) return first;
  counted(index, CountedOp::Kind::access, Space::shared, access);
  counted(index, CountedOp::Kind::access, Space::local, access);
  return first;
}

// A parameter at a known place is a launch constant.
bool Decoder::load_parameter(uint32_t index, const Instruction& instruction, const Selector& s,
                             const Operand& data, const Operand& address) {
  if (address.base != OperandKind::symbol || address.symbol_kind != ptx::SymbolKind::parameter) return false;
  if (s.vector != 1 || data.kind != OperandKind::reg) return false;
  const std::optional<uint64_t> offset = m_layout.address_of(address);
  const uint32_t bytes = ptx::bits_of(s.type) / 8;
  if (!offset || *offset >= m_program.parameter_bytes || m_program.parameter_bytes - *offset < bytes)
    return false;
  const uint32_t bits = bits_of_register(data);
  const uint32_t slot = m_frame.parameter(m_program, static_cast<uint32_t>(*offset), s.type, bits);
  if (rename(instruction, data, slot, true)) return true;
  Selector copy;
  copy.opcode = Opcode::mov;
  copy.type = bits == 16 ? Modifier::b16 : bits == 32 ? Modifier::b32 : Modifier::b64;
  const size_t guard = begin_guard(index, instruction);
  emit(index, copy, {.d = destination(data), .a = slot});
  finish_guard(guard);
  return true;
}

void Decoder::decode_atomic(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  Selector s = selector_of(instruction, modifiers);
  s.source_type = space_of(modifiers);
  for (Modifier m : modifiers) {
    const ModifierKind kind = ptx::kind_of(m);
    if (kind == ModifierKind::operation || kind == ModifierKind::boolean) s.operation = m;
  }
  s.has_boolean = false;
  const size_t first = instruction.opcode == Opcode::atom ? 1 : 0;
  const uint32_t bits = ptx::bits_of(s.type);
  Op op{.flags = flag_atomic, .extra = s.vector};
  const bool is_read = first == 1 && !is_unread_sum(operands[0], s);
  m_program.may_spin = m_program.may_spin || is_read;
  const bool fetches = is_read || (first == 1 && m_program.for_stepping);
  const Operand& values = operands[first + 1];
  const bool vector = s.vector > 1;
  // The elements of a vector are copied side by side, and their old values back.
  const uint32_t old = vector && first == 1 ? adjacent_slots(s.vector, bits) : no_slot;
  op.d = vector ? old : fetches ? destination(operands[0]) : no_slot;
  op.b = vector ? adjacent_slots(s.vector, bits) : source(values, register_bits(s.type));
  op.c = s.operation == Modifier::cas ? source(operands[first + 2], register_bits(s.type)) : no_slot;
  op.bytes = static_cast<uint8_t>(bits / 8 * s.vector);
  if (op.b == no_slot || !set_address(op, operands[first], s.source_type)) return refuse(instruction);
  op.state = count_access(index, s.source_type, AccessKind::atomic);
  const bool simple =
      !vector && (bits == 32 || bits == 64) && s.type != Modifier::f16x2 && s.type != Modifier::bf16x2;
  if (s.source_type != Modifier::shared && (op.d != no_slot || ptx::is_float(s.type) || !simple))
    m_program.order_dependent = true;
  const size_t guard = begin_guard(index, instruction);
  if (vector && !copy_elements(index, values, op.b, bits, true)) return refuse(instruction);
  if (!emit(index, s, op)) return refuse(instruction);
  if (old != no_slot && !copy_elements(index, operands[0], old, bits, false)) return refuse(instruction);
  finish_guard(guard);
}

// A compiler writes atom where nobody reads what was there before. Of operations that red has too, the order
// then does not show. In a function it may be what the function returns.
bool Decoder::is_unread_sum(const Operand& result, const Selector& s) const {
  if (!m_function.is_entry) return false;
  if (s.operation == Modifier::exch || s.operation == Modifier::cas) return false;
  return s.vector == 1 && result.kind == OperandKind::reg && result.component == 255 &&
         m_first_read[result.index] == never_read;
}

uint32_t Decoder::adjacent_slots(uint32_t count, uint32_t bits) {
  const uint32_t first = m_frame.lanes(bits);
  for (uint32_t i = 1; i < count; ++i) m_frame.lanes(bits);
  return first;
}

// Between the elements of a vector operand and registers side by side.
bool Decoder::copy_elements(uint32_t index, const Operand& vector, uint32_t first, uint32_t bits, bool in) {
  if (vector.kind != OperandKind::vector) return false;
  Selector copy;
  copy.opcode = Opcode::mov;
  copy.type = bits == 16 ? Modifier::b16 : Modifier::b32;
  const auto elements = m_function.children_of(vector);
  for (uint32_t i = 0; i < elements.size(); ++i) {
    const uint32_t beside = first + i * Frame::exec_bytes(bits);
    if (elements[i].kind == OperandKind::sink && !in) continue;
    const uint32_t element = in ? source(elements[i], bits) : destination(elements[i]);
    if (element == no_slot) return false;
    if (!emit(index, copy, {.d = in ? beside : element, .a = in ? element : beside})) return false;
  }
  return true;
}

}  // namespace warplens::program
