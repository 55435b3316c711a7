// Operands → slots of the frame, and the ops that go in front.
#include "core/program/decode/decoder.h"

#include "core/program/flow/step_weight.h"

namespace warplens::program {

namespace {

// The same for every block of the launch.
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

// A local variable of a function that can be active twice: it has another address each time.
bool Decoder::is_on_stack(const Operand& symbol) const {
  return m_code.on_stack && m_layout.space_of(symbol) == ptx::StateSpace::local &&
         symbol.symbol_kind != ptx::SymbolKind::module_variable;
}

bool Decoder::is_launch_constant(const Operand& operand) const {
  switch (operand.kind) {
    case OperandKind::immediate:
      return true;
    case OperandKind::symbol:
      return !is_on_stack(operand);
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
  const uint32_t slot = m_alias[r] != no_slot ? m_alias[r] : m_register_slots[r];
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
      if (operand.symbol_kind == ptx::SymbolKind::function) {
        const uint64_t function = address_of_function(operand.index) + static_cast<uint64_t>(operand.offset);
        return m_frame.constant(m_program, truncated(function, bits), bits);
      }
      if (is_on_stack(operand)) return stack_address(operand, bits);
      const std::optional<uint64_t> address = m_layout.address_of(operand);
      return address ? m_frame.constant(m_program, truncated(*address, bits), bits) : no_slot;
    }
    case OperandKind::special:
      return special(operand, bits);
    default:
      return no_slot;
  }
}

uint32_t Decoder::stack_address(const Operand& symbol, uint32_t bits) {
  const uint32_t offset = m_frame.constant(m_program, m_layout.address_of(symbol).value_or(0), 64);
  const uint32_t address = m_frame.lanes(64);
  Selector s;
  s.opcode = Opcode::add;
  s.type = s.source_type = Modifier::u64;
  emit(m_current, s, {.d = address, .a = m_code.base_slot, .b = offset});
  if (bits == 64) return address;
  const uint32_t narrow = m_frame.lanes(bits);
  convert(m_current, Modifier::u32, Modifier::u64, narrow, address);
  return narrow;
}

// The clock is read where the instruction stands.
uint32_t Decoder::clock(SpecialRegister which) {
  int64_t before = 0, all = 0;
  const BasicBlock& block = m_flow.blocks[m_flow.block_of[m_current]];
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    const int64_t weight = step_weight(m_function, m_function.instructions[i]);
    all += weight;
    before += i <= m_current ? weight : 0;
  }
  m_program.order_dependent = true;  // it counts what the worker did, its searches included
  const uint32_t slot = m_frame.lanes(ptx::shape_of(which).bits);
  append(m_current, {.handlers = m_table.both(Routine::clock),
                     .d = slot,
                     .immediate = before - all,
                     .extra = static_cast<uint8_t>(which)});
  return slot;
}

uint64_t Decoder::truncated(uint64_t bits, uint32_t width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

uint32_t Decoder::special(const Operand& operand, uint32_t bits) {
  const auto which = static_cast<SpecialRegister>(operand.index);
  const uint8_t component = operand.component == 255 ? 0 : operand.component;
  const uint32_t slot = changes_while_running(which)
                            ? clock(which)
                            : m_frame.special(m_program, which, component, !of_launch(which));
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
  const uint32_t slot = m_register_slots[operand.index];
  if (operand.component == 255 || operand.component == 0) return slot;
  return slot +
         operand.component * Frame::exec_bytes(register_bits(m_function.registers[operand.index].type));
}

uint32_t Decoder::bits_of_register(const Operand& operand) const {
  return operand.kind == OperandKind::reg ? register_bits(m_function.registers[operand.index].type) : 0;
}

Op& Decoder::append(uint32_t instruction, Op op) {
  op.instruction = m_code.first_instruction + instruction;
  m_program.ops.push_back(op);
  return m_program.ops.back();
}

// What stands behind the last instruction: running into it returns.
void Decoder::emit_end() {
  const Routine end = m_function.is_entry ? Routine::exit : Routine::ret;
  append(0, {.handlers = m_table.both(end)});
}

bool Decoder::emit(uint32_t instruction, const Selector& s, Op op) {
  op.handlers = find_handlers(m_table, s);
  if (!op.handlers) return false;
  append(instruction, op);
  return true;
}

// Puts what follows behind the instruction's guard; finish_guard says where it ends.
size_t Decoder::begin_guard(uint32_t index, const Instruction& instruction) {
  if (!instruction.guarded) return SIZE_MAX;
  Op op{.handlers = m_table.both(Routine::guard), .a = component_slot(instruction.guard, 255)};
  if (instruction.guard_negated) op.flags |= flag_negated;
  append(index, op);
  return m_program.ops.size() - 1;
}

void Decoder::finish_guard(size_t guard) {
  if (guard != SIZE_MAX) m_program.ops[guard].jump = static_cast<int32_t>(m_program.ops.size() - guard);
}

uint32_t Decoder::counted(uint32_t instruction, CountedOp::Kind kind, Space space, AccessKind access) {
  m_program.counted.push_back({m_code.first_instruction + instruction, kind, space, access});
  return static_cast<uint32_t>(m_program.counted.size() - 1);
}

}  // namespace warplens::program
