// Operands → slots of the frame, and the ops that go in front.
#include "core/ir/decoder.h"

#include "core/exec/warp.h"

namespace warplens::ir {

namespace {

// The same for every block of the launch.
bool of_launch(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::ctaid:
    case SpecialRegister::smid:
      return false;
    default:
      return true;
  }
}

bool changes_while_running(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Decoder::is_launch_constant(const Operand& operand) const {
  switch (operand.kind) {
    case OperandKind::immediate:
    case OperandKind::symbol:
      return true;
    case OperandKind::special:
      return of_launch(static_cast<SpecialRegister>(operand.index)) &&
             !changes_while_running(static_cast<SpecialRegister>(operand.index));
    case OperandKind::reg:
      return m_constant_register[operand.index];
    default:
      return false;
  }
}

uint32_t Decoder::component_slot(uint32_t r, uint8_t component) const {
  const uint32_t slot = m_alias[r] != no_slot ? m_alias[r] : m_program.register_slots[r];
  if (component == 255 || component == 0) return slot;
  return slot + component * Frame::exec_bytes(register_bits(m_function.registers[r].type));
}

// The slot that holds a source of this width; no_slot: not a value.
uint32_t Decoder::source(const Operand& operand, uint32_t bits) {
  switch (operand.kind) {
    case OperandKind::reg:
      return component_slot(operand.index, operand.component);
    case OperandKind::immediate:
      return m_frame.constant(m_program, truncated(operand.bits, bits), bits);
    case OperandKind::symbol: {
      const std::optional<uint64_t> address = m_layout.address_of(operand);
      return address ? m_frame.constant(m_program, truncated(*address, bits), bits) : no_slot;
    }
    case OperandKind::special:
      return special(operand, bits);
    default:
      return no_slot;
  }
}

uint64_t Decoder::truncated(uint64_t bits, uint32_t width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

uint32_t Decoder::special(const Operand& operand, uint32_t bits) {
  const auto which = static_cast<SpecialRegister>(operand.index);
  if (changes_while_running(which)) return no_slot;
  const uint8_t component = operand.component == 255 ? 0 : operand.component;
  const uint32_t slot = m_frame.special(m_program, which, component, !of_launch(which));
  const uint32_t own_bits = ptx::shape_of(which).bits;
  if (own_bits == bits) return slot;
  // mov.u16 of %tid.x and the like: narrowed or widened into a temporary.
  const uint32_t temporary = m_frame.lanes(bits);
  Selector s;
  s.opcode = Opcode::cvt;
  s.type = bits == 16 ? Modifier::u16 : bits == 64 ? Modifier::u64 : Modifier::u32;
  s.source_type = own_bits == 64 ? Modifier::u64 : Modifier::u32;
  emit(m_current, s, {.d = temporary, .a = slot});
  return temporary;
}

uint32_t Decoder::destination(const Operand& operand) const {
  return operand.kind == OperandKind::reg ? component_slot_of_destination(operand) : no_slot;
}

uint32_t Decoder::component_slot_of_destination(const Operand& operand) const {
  const uint32_t slot = m_program.register_slots[operand.index];
  if (operand.component == 255 || operand.component == 0) return slot;
  return slot +
         operand.component * Frame::exec_bytes(register_bits(m_function.registers[operand.index].type));
}

uint32_t Decoder::bits_of_register(const Operand& operand) const {
  return operand.kind == OperandKind::reg ? register_bits(m_function.registers[operand.index].type) : 0;
}

Op& Decoder::append(uint32_t instruction, Op op) {
  op.instruction = instruction;
  m_program.ops.push_back(op);
  return m_program.ops.back();
}

void Decoder::emit_exit() { append(0, {.handlers = {{&exec::run_exit, &exec::run_exit}}}); }

bool Decoder::emit(uint32_t instruction, const Selector& s, Op op) {
  op.handlers = exec::find_handlers(m_table, s);
  if (!op.handlers) return false;
  append(instruction, op);
  return true;
}

// Puts what follows behind the instruction's guard; finish_guard says where it ends.
size_t Decoder::begin_guard(uint32_t index, const Instruction& instruction) {
  if (!instruction.guarded) return SIZE_MAX;
  Op op{.handlers = {{&exec::run_guard, &exec::run_guard}}, .a = component_slot(instruction.guard, 255)};
  if (instruction.guard_negated) op.flags |= exec::flag_negated;
  append(index, op);
  return m_program.ops.size() - 1;
}

void Decoder::finish_guard(size_t guard) {
  if (guard != SIZE_MAX) m_program.ops[guard].jump = static_cast<int32_t>(m_program.ops.size() - guard);
}

uint32_t Decoder::counted(uint32_t instruction, CountedOp::Kind kind, Space space, AccessKind access) {
  m_program.counted.push_back({instruction, kind, space, access});
  return static_cast<uint32_t>(m_program.counted.size() - 1);
}

}  // namespace warplens::ir
