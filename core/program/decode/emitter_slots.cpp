// Converts operands to slots of the frame, with the ops that must come before.
#include "core/program/decode/emitter.h"
#include "core/program/flow/step_weight.h"
#include "core/program/op/address_space.h"
#include "core/program/op/clock_op.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

namespace {

// Whether the value is the same for every block of the launch.
bool of_launch(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::ctaid:
    case SpecialRegister::clusterid:
    case SpecialRegister::smid:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool changes_while_running(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return true;
    default:
      return false;
  }
}

uint64_t truncated(uint64_t bits, uint32_t width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

// Whether it is a local variable of a function that can be active twice, so that its address varies.
bool Emitter::is_on_stack(const Operand& symbol) const {
  return m_code.on_stack && m_layout.space_of(symbol) == ptx::StateSpace::local &&
         symbol.symbol_kind != ptx::SymbolKind::module_variable;
}

bool Emitter::is_launch_constant(const Operand& operand) const {
  switch (operand.kind) {
    case OperandKind::immediate:
      return true;
    case OperandKind::symbol:
      return !is_on_stack(operand);
    case OperandKind::special:
      return of_launch(static_cast<SpecialRegister>(operand.index)) &&
             !changes_while_running(static_cast<SpecialRegister>(operand.index));
    case OperandKind::reg:
      return m_registers[operand.index].is_constant;
    default:
      return false;
  }
}

uint32_t Emitter::component_slot(uint32_t r, uint8_t component) const {
  const DecodedRegister& at = m_registers[r];
  const uint32_t slot = at.alias != no_slot ? at.alias : at.slot;
  if (component == 255 || component == 0) return slot;
  return slot + component * Frame::exec_bytes(register_bits(m_function.registers[r].type));
}

uint32_t Emitter::source(const Operand& operand, uint32_t bits) {
  switch (operand.kind) {
    case OperandKind::reg:
      return component_slot(operand.index, operand.component);
    case OperandKind::immediate:
      return constant(truncated(operand.bits, bits), bits);
    case OperandKind::symbol: {
      if (operand.symbol_kind == ptx::SymbolKind::function) {
        const uint64_t function = address_of_function(operand.index) + static_cast<uint64_t>(operand.offset);
        return constant(truncated(function, bits), bits);
      }
      if (is_on_stack(operand)) return stack_address(operand, bits);
      const std::optional<uint64_t> address = m_layout.address_of(operand);
      return address ? constant(truncated(*address, bits), bits) : no_slot;
    }
    case OperandKind::special:
      return special(operand, bits);
    default:
      return no_slot;
  }
}

uint32_t Emitter::stack_address(const Operand& symbol, uint32_t bits) {
  const uint32_t offset = constant(m_layout.address_of(symbol).value_or(0), 64);
  const uint32_t address = lanes(64);
  Selector s;
  s.opcode = Opcode::add;
  s.type = s.source_type = Modifier::u64;
  emit(m_current, s, {.d = address, .a = m_code.base_slot, .b = offset});
  if (bits == 64) return address;
  const uint32_t narrow = lanes(bits);
  convert(m_current, Modifier::u32, Modifier::u64, narrow, address);
  return narrow;
}

// The clock is read at the place of the instruction.
uint32_t Emitter::clock(SpecialRegister which) {
  int64_t before = 0, all = 0;
  const BasicBlock& block = m_flow.blocks[m_flow.block_of[m_current]];
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    const int64_t weight = step_weight(m_function, m_function.instructions[i]);
    all += weight;
    before += i <= m_current ? weight : 0;
  }
  m_program.order_dependent = true;  // it counts the worker's work, including its searches
  const uint32_t slot = lanes(ptx::shape_of(which).bits);
  Op op{.handlers = routine(Routine::clock)};
  ClockOp{.result = slot, .which = which, .steps = before - all}.write(op);
  append(m_current, op);
  return slot;
}

uint32_t Emitter::special(const Operand& operand, uint32_t bits) {
  const auto which = static_cast<SpecialRegister>(operand.index);
  const uint8_t component = operand.component == 255 ? 0 : operand.component;
  const uint32_t slot = changes_while_running(which)
                            ? clock(which)
                            : m_frame.special(m_program, which, component, !of_launch(which));
  const uint32_t own_bits = ptx::shape_of(which).bits;
  if (own_bits == bits) return slot;
  // mov.u16 of %tid.x and the like: narrowed or widened into a temporary.
  const uint32_t temporary = lanes(bits);
  Selector s;
  s.opcode = Opcode::cvt;
  s.type = bits == 16 ? Modifier::u16 : bits == 64 ? Modifier::u64 : Modifier::u32;
  s.source_type = own_bits == 64 ? Modifier::u64 : Modifier::u32;
  emit(m_current, s, {.d = temporary, .a = slot});
  return temporary;
}

// A register's own slot, even if it is another name of a slot.
uint32_t Emitter::destination(const Operand& operand) const {
  if (operand.kind != OperandKind::reg) return no_slot;
  const uint32_t slot = m_registers[operand.index].slot;
  if (operand.component == 255 || operand.component == 0) return slot;
  return slot +
         operand.component * Frame::exec_bytes(register_bits(m_function.registers[operand.index].type));
}

uint32_t Emitter::predicate_source(const Operand& operand) {
  if (operand.kind == OperandKind::reg) return component_slot(operand.index, 255);
  return constant(operand.bits != 0 ? 0xffffffff : 0, 32);
}

uint32_t Emitter::bits_of_register(const Operand& operand) const {
  return operand.kind == OperandKind::reg ? register_bits(m_function.registers[operand.index].type) : 0;
}

// Generic addresses of shared and local memory are in windows.
uint64_t Emitter::window_of(const Operand& symbol) const {
  switch (m_layout.space_of(symbol)) {
    case ptx::StateSpace::shared:
      return shared_window;
    case ptx::StateSpace::local:
      return local_window;
    default:
      return 0;
  }
}

bool Emitter::set_address(Op& op, const Operand& address, Modifier space) {
  const uint64_t window = space == Modifier::constant ? constant_window : 0;
  AddressOp at;
  if (address.base == OperandKind::reg) {
    const uint32_t bits = register_bits(m_function.registers[address.index].type);
    at.base = component_slot(address.index, address.component);
    at.is_narrow = bits == 32;
    at.offset = static_cast<uint64_t>(address.offset);
    if (bits < 32) return false;
  } else if (address.base == OperandKind::immediate) {
    at.is_known = true;
    at.base = op.a;
    at.offset = address.bits + static_cast<uint64_t>(address.offset);
  } else {
    const std::optional<uint64_t> place = m_layout.address_of(address);
    const bool on_stack = address.base == OperandKind::symbol && is_on_stack(address);
    if (!place && !on_stack) return false;
    at.is_known = !on_stack;
    at.base = on_stack ? m_code.base_slot : op.a;
    at.offset = place.value_or(0) + (space == Modifier::weak ? window_of(address) : 0);
  }
  if (is_short_space(space)) {
    at.offset = window | static_cast<uint32_t>(at.offset);
    at.is_in_short_space = !at.is_known;
  }
  at.write(op);
  return true;
}

void Emitter::set_predicate(Op& op, const Operand& operand) {
  op.c = predicate_source(operand);
  if (operand.negated) op.flags |= flag_negated;
}

uint32_t Emitter::adjacent(uint32_t count, uint32_t bits) {
  const uint32_t first = lanes(bits);
  for (uint32_t i = 1; i < count; ++i) lanes(bits);
  return first;
}

uint32_t Emitter::carry_slot() {
  if (m_carry == no_slot) {
    m_carry = lanes(16);
    m_program.cleared.emplace_back(m_carry, 4);
  }
  return m_carry;
}

}  // namespace warplens::program
