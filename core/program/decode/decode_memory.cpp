// Loads and stores.
#include "core/program/decode/families.h"
#include "core/program/decode/passed.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

namespace {

// A parameter at a known place is a launch constant.
bool load_parameter(Emitter& emitter, uint32_t index, const Instruction& instruction, const Selector& s,
                    const Operand& data, const Operand& address) {
  if (address.base != OperandKind::symbol || address.symbol_kind != ptx::SymbolKind::parameter) return false;
  if (s.vector != 1 || data.kind != OperandKind::reg) return false;
  const std::optional<uint64_t> offset = emitter.layout().address_of(address);
  const uint32_t bytes = ptx::bits_of(s.type) / 8;
  if (!offset || *offset >= emitter.program().parameter_bytes ||
      emitter.program().parameter_bytes - *offset < bytes)
    return false;
  const uint32_t bits = emitter.bits_of_register(data);
  const uint32_t slot = emitter.parameter(static_cast<uint32_t>(*offset), s.type, bits);
  if (emitter.rename(instruction, data, slot, true)) return true;
  const size_t guard = emitter.begin_guard(index, instruction);
  emitter.copy(index, bits, emitter.destination(data), slot);
  emitter.finish_guard(guard);
  return true;
}

// The values to load or store: in braces, in one register, or in a vector register, which is replaced by its
// components.
std::vector<Operand> values_of(const Emitter& emitter, const Operand& data, uint32_t count) {
  if (data.kind == OperandKind::vector) {
    const auto children = emitter.children(data);
    return {children.begin(), children.end()};
  }
  std::vector<Operand> values(data.kind == OperandKind::reg ? count : 1, data);
  for (uint8_t i = 0; values.size() > 1 && i < values.size(); ++i) values[i].component = i;
  return values;
}

// Sets the registers, with the widest value's width, and the bytes. False if an operand is not a value.
bool set_data(Emitter& emitter, Selector& s, AccessOp& access, Op& op, const Operand& data) {
  const bool store = access.kind == AccessKind::store;
  const std::vector<Operand> values = values_of(emitter, data, s.vector);
  uint32_t* const slots[4] = {&op.d, &op.b, &op.c, &op.e};
  uint32_t width = register_bits(s.type);
  for (const Operand& value : values) width = std::max(width, emitter.bits_of_register(value));
  for (uint32_t* const slot : slots) *slot = no_slot;
  for (size_t i = 0; i < values.size() && i < 4; ++i) {
    *slots[i] = store ? emitter.source(values[i], width) : emitter.destination(values[i]);
    if (store && *slots[i] == no_slot) return false;
  }
  s.destination_bits = static_cast<uint8_t>(width);
  access.bytes = static_cast<uint8_t>(ptx::bits_of(s.type) / 8 * s.vector);
  access.register_bytes = static_cast<uint8_t>(width / 8);
  return true;
}

// Another lane, or another block, may write memory that is read repeatedly.
bool may_wait(std::span<const Modifier> modifiers) {
  for (const Modifier m :
       {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::mmio, Modifier::cv}) {
    if (has(modifiers, m)) return true;
  }
  return false;
}

}  // namespace

void decode_access(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  Selector s = selector_of(instruction, modifiers);
  const bool store = instruction.opcode == Opcode::st, is_entry = emitter.function().is_entry;
  const Operand& address = operands[store ? 0 : 1];
  const Operand& data = operands[store ? 1 : 0];
  s.operation = space_of(modifiers);
  if (instruction.opcode == Opcode::ldu && s.operation == Modifier::weak) s.operation = Modifier::global;
  const bool is_parameter = s.operation == Modifier::param || s.operation == Modifier::param_func;
  if (s.vector > 4) return emitter.refuse(instruction, "vectors of eight are for sm_100 and later.");
  if (is_parameter && is_entry && load_parameter(emitter, index, instruction, s, data, address)) return;
  if (!store && may_wait(modifiers)) emitter.program().may_spin = true;
  Op op;
  AccessOp access{.kind = store ? AccessKind::store : AccessKind::load};
  if (!set_data(emitter, s, access, op, data)) return emitter.refuse(instruction);
  if (is_parameter && set_passed_address(emitter, op, access, address, ptx::bits_of(s.type) / 8)) {
    access.write(op);
    s.operation = Modifier::param_func;
    if (!emitter.emit_guarded(index, instruction, s, op)) emitter.refuse(instruction);
    return;
  }
  // A parameter whose address was taken is in local memory (PTX ISA, "Device Function Parameters"). A
  // register cannot contain another address of a parameter; clang uses ld.param with it, which ptxas accepts.
  const bool is_spilled =
      is_parameter && !is_entry && !store &&
      (address.base == OperandKind::reg ||
       (address.base == OperandKind::symbol && emitter.layout().space_of(address) == ptx::StateSpace::local));
  if (is_parameter && !is_spilled && (store || !is_entry)) {
    return emitter.refuse(
        instruction, "parameters of a function are read and written by their names, within their bytes.");
  }
  if (is_parameter) s.operation = is_spilled ? Modifier::local : Modifier::param;
  if (!emitter.set_address(op, address, s.operation))
    return emitter.refuse(instruction, "this address cannot be resolved.");
  access.counter = emitter.count_access(index, s.operation, access.kind);
  access.write(op);
  if (!emitter.emit_guarded(index, instruction, s, op)) emitter.refuse(instruction);
}

}  // namespace warplens::program
