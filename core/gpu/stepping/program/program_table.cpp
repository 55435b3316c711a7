#include "core/gpu/stepping/program/program_table.h"

#include <algorithm>
#include <map>

#include "core/gpu/exec/block_steps.h"
#include "core/gpu/exec/state/instruction_starts.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/machine/incident.h"
#include "core/program/flow/liveness.h"
#include "core/program/frame.h"

namespace warplens::stepping {

namespace {

// The number of instructions at the start of a kernel that set up its stack or load its parameters.
size_t preparations_of(const ptx::Function& kernel) {
  using ptx::Opcode;
  const auto& all = kernel.instructions;
  const bool has_stack = all.size() > 1 && all[0].opcode == Opcode::mov && all[1].opcode == Opcode::cvta;
  const size_t first = has_stack ? 2 : 0;
  size_t end = first;
  const auto loads_parameter = [&](const ptx::Instruction& instruction) {
    const auto* modifiers = kernel.modifiers.data() + instruction.first_modifier;
    return instruction.opcode == Opcode::ld && !instruction.guarded &&
           std::any_of(modifiers, modifiers + instruction.modifiers, [](ptx::Modifier modifier) {
             return modifier == ptx::Modifier::param || modifier == ptx::Modifier::param_entry;
           });
  };
  while (end < all.size() && loads_parameter(all[end])) ++end;
  return end == first ? 0 : end;
}

}  // namespace

ProgramTable::ProgramTable(std::shared_ptr<const program::Program> program)
    : m_program(std::move(program)), m_starts(exec::instruction_starts(*m_program)) {
  m_files.emplace_back();
  m_instructions.reserve(m_program->instructions());
  for (uint32_t f = 0; f < m_program->functions.size(); ++f) {
    add_instructions(f);
    add_registers(f);
  }
  for (const exec::Op& op : m_program->ops) {
    const exec::Handler handler = op.handlers.run[exec::all_lanes];
    if (handler == &exec::run_call || handler == &exec::run_indirect_call)
      m_instructions[op.instruction].calls = true;
  }
}

void ProgramTable::add_instructions(uint32_t f) {
  const program::FunctionCode& code = m_program->functions[f];
  const ptx::Function& function = *code.function;
  std::map<std::string, uint32_t, std::less<>> files;
  for (uint32_t i = 0; i < m_files.size(); ++i) files.emplace(m_files[i], i);
  const size_t preparations = function.is_entry ? preparations_of(function) : 0;
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    InstructionInfo info;
    info.function = f;
    info.ptx_line = instruction.line;
    const SourcePlace place = source_place(*m_program, code.first_instruction + i);
    const auto [file, is_new] = files.try_emplace(place.file, static_cast<uint32_t>(m_files.size()));
    if (is_new) m_files.push_back(place.file);
    info.file = file->second;
    info.line = place.line;
    info.writes = program::uses_of(function, instruction).writes;
    if (instruction.guarded) info.guard = instruction.guard;
    info.guard_negated = instruction.guard_negated;
    info.returns = instruction.opcode == ptx::Opcode::ret && !function.is_entry;
    info.collective = program::is_collective(function, instruction);
    info.prepares = i < preparations;
    info.barrier = program::is_block_barrier(function, instruction);
    m_instructions.push_back(std::move(info));
  }
}

void ProgramTable::add_registers(uint32_t f) {
  const program::FunctionCode& code = m_program->functions[f];
  const std::vector<ptx::Modifier> types = used_types(*code.function);
  m_first_register.push_back(registers());
  for (uint32_t r = 0; r < code.function->registers.size(); ++r) {
    const ptx::Register& declared = code.function->registers[r];
    const bool predicate = declared.type == ptx::Modifier::pred;
    m_registers.push_back({declared.name, types[r], declared.vector, code.register_slots[r],
                           predicate ? 0 : std::max(ptx::bits_of(declared.type), 16u) / 8});
  }
}

uint32_t ProgramTable::end_register(uint32_t function) const {
  return function + 1 < m_first_register.size() ? m_first_register[function + 1] : registers();
}

uint32_t ProgramTable::find_register(uint32_t function, std::string_view name) const {
  for (uint32_t r = first_register(function); r < end_register(function); ++r) {
    const std::string_view own = m_registers[r].name;
    if (own == name || (own.starts_with('%') && own.substr(1) == name)) return r;
  }
  return UINT32_MAX;
}

uint32_t ProgramTable::passed_registers(uint32_t function) const {
  const ptx::Function& code = *m_program->functions[function].function;
  if (code.is_entry) return 0;
  const auto is_register = [](const ptx::Variable& v) { return v.space == ptx::StateSpace::reg; };
  return static_cast<uint32_t>(std::ranges::count_if(code.returns, is_register) +
                               std::ranges::count_if(code.parameters, is_register));
}

CodePlace ProgramTable::place(uint32_t instruction) const {
  const InstructionInfo& info = m_instructions[instruction];
  return {instruction, info.ptx_line, info.line, m_files[info.file],
          m_program->functions[info.function].function->name};
}

}  // namespace warplens::stepping
