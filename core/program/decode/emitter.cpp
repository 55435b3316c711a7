// Emitting ops: what all families of instructions use to append ops, guard them, and hoist them.
#include "core/program/decode/emitter.h"

#include <fmt/format.h>

#include "core/program/flow/liveness.h"
#include "core/program/op/flow_op.h"
#include "core/program/op/rounding.h"

namespace warplens::program {

Emitter::Emitter(Program& program, uint32_t place, const CallGraph& graph, const Layout& layout, Frame& frame,
                 const OpsTable& table)
    : m_program(program),
      m_function(*program.functions[place].function),
      m_code(program.functions[place]),
      m_place(place),
      m_graph(graph),
      m_layout(layout),
      m_frame(frame),
      m_table(table),
      m_flow(control_flow_of(m_function)) {
  give_registers_slots();
  count_definitions();
}

void Emitter::give_registers_slots() {
  m_registers.resize(m_function.registers.size());
  for (size_t i = 0; i < m_registers.size(); ++i) {
    const ptx::Register& r = m_function.registers[i];
    if (is_predicate(r.type)) {
      m_registers[i].slot = m_frame.predicate();
      continue;
    }
    // The components follow.
    m_registers[i].slot = adjacent(std::max<uint32_t>(r.vector, 1), register_bits(r.type));
  }
}

void Emitter::count_definitions() {
  for (uint32_t i = 0; i < m_function.instructions.size(); ++i) {
    const Uses uses = uses_of(m_function, m_function.instructions[i]);
    for (const uint32_t r : uses.writes) ++m_registers[r].definitions;
    for (const uint32_t r : uses.reads) m_registers[r].first_read = std::min(m_registers[r].first_read, i);
  }
}

const std::vector<std::vector<uint64_t>>& Emitter::live_at_start() {
  if (!m_live) m_live = live_at_starts(m_function, m_flow);
  return *m_live;
}

void Emitter::refuse(const Instruction& instruction, std::string why) {
  std::string text(ptx::text_of(instruction.opcode));
  for (Modifier m : modifiers(instruction)) text += fmt::format(".{}", ptx::text_of(m));
  m_diagnostics.push_back(
      {Severity::error, module().name, instruction.line, 0, fmt::format("{}: {}", text, why)});
}

void Emitter::refuse(const Instruction& instruction) {
  refuse(instruction, "the virtual GPU does not run this form yet.");
}

Op& Emitter::append(uint32_t index, Op op) {
  op.instruction = m_code.first_instruction + index;
  m_program.ops.push_back(op);
  return m_program.ops.back();
}

bool Emitter::emit(uint32_t index, const Selector& s, Op op) {
  op.handlers = find_handlers(m_table, s);
  if (!op.handlers) return false;
  append(index, op);
  m_program.selectors.resize(m_program.ops.size());
  m_program.selectors.back() = s;
  return true;
}

bool Emitter::copy(uint32_t index, uint32_t bits, uint32_t d, uint32_t a) {
  Selector s;
  s.opcode = Opcode::mov;
  s.type = bits == 16 ? Modifier::b16 : bits == 32 ? Modifier::b32 : Modifier::b64;
  return emit(index, s, {.d = d, .a = a});
}

bool Emitter::convert(uint32_t index, Modifier to, Modifier from, uint32_t d, uint32_t a) {
  Selector s;
  s.opcode = Opcode::cvt;
  s.type = to;
  s.source_type = from;
  return emit(index, s, {.d = d, .a = a});
}

size_t Emitter::begin_guard(uint32_t index, const Instruction& instruction) {
  if (!instruction.guarded) return SIZE_MAX;
  Op op{.handlers = routine(Routine::guard)};
  GuardOp{.predicate = component_slot(instruction.guard, 255), .negated = instruction.guard_negated}.write(
      op);
  append(index, op);
  return next_op() - 1;
}

void Emitter::finish_guard(size_t guard) {
  if (guard != SIZE_MAX) m_program.ops[guard].jump = static_cast<int32_t>(next_op() - guard);
}

void Emitter::append_guarded(uint32_t index, const Instruction& instruction, const Op& op) {
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

bool Emitter::emit_guarded(uint32_t index, const Instruction& instruction, const Selector& s, const Op& op) {
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, op)) return false;
  finish_guard(guard);
  return true;
}

void Emitter::append_rounding(uint32_t index, int mode) {
  Op op{.handlers = routine(Routine::rounded)};
  RoundedOp{.mode = mode}.write(op);
  append(index, op);
}

uint32_t Emitter::counted(uint32_t index, CountedOp::Kind kind, Space space, AccessKind access) {
  m_program.counted.push_back({m_code.first_instruction + index, kind, space, access, false, false});
  return static_cast<uint32_t>(m_program.counted.size() - 1);
}

uint32_t Emitter::count_access(uint32_t index, Modifier space, AccessKind access) {
  const bool generic = space_for_report(space) == Space::generic;
  const uint32_t first =
      counted(index, CountedOp::Kind::access, generic ? Space::global : space_for_report(space), access);
  if (!generic) return first;
  counted(index, CountedOp::Kind::access, Space::shared, access);
  counted(index, CountedOp::Kind::access, Space::local, access);
  return first;
}

void Emitter::hoist_if_constant(size_t first_op, const Instruction& instruction, const Operand& result,
                                std::span<const Operand> sources) {
  if (m_program.for_stepping || instruction.guarded) return;
  if (result.kind != OperandKind::reg || result.component != 255) return;
  DecodedRegister& r = m_registers[result.index];
  if (r.definitions != 1 || !only_computes(instruction.opcode)) return;
  if (is_predicate(m_function.registers[result.index].type)) return;
  for (const Operand& operand : sources) {
    if (!is_launch_constant(operand)) return;
  }
  r.is_constant = true;
  const auto first = m_program.ops.begin() + static_cast<std::ptrdiff_t>(first_op);
  m_program.prologue.insert(m_program.prologue.end(), first, m_program.ops.end());
  m_program.ops.erase(first, m_program.ops.end());
  if (m_program.selectors.size() > first_op) m_program.selectors.resize(first_op);
}

bool Emitter::rename(const Instruction& instruction, const Operand& result, uint32_t slot,
                     bool launch_constant) {
  if (m_program.for_stepping || instruction.guarded || result.kind != OperandKind::reg ||
      result.component != 255)
    return false;
  DecodedRegister& r = m_registers[result.index];
  if (r.definitions != 1 || m_function.registers[result.index].vector != 1) return false;
  if (r.first_read < m_current) return false;  // that op reads the register itself
  r.alias = slot;
  r.is_constant = launch_constant;
  return true;
}

}  // namespace warplens::program
