// Tree → program. One pass over the instructions in program order; each becomes an op, or several (a guard in
// front, a rounding mode, a narrowing of a wide source), or none: a copy of a launch constant only renames
// its register.
#include <fmt/format.h>

#include <algorithm>

#include "core/ir/decoder.h"
#include "core/ir/liveness.h"

namespace warplens::ir {

namespace {

uint32_t count_predicates(const ptx::Function& function) {
  return static_cast<uint32_t>(std::count_if(function.registers.begin(), function.registers.end(),
                                             [](const ptx::Register& r) { return is_predicate(r.type); }));
}

}  // namespace

Decoder::Decoder(Program& program, const exec::OpsTable& table)
    : m_program(program),
      m_module(*program.module),
      m_function(*program.function),
      m_table(table),
      m_frame(count_predicates(*program.function)) {}

std::vector<Diagnostic> Decoder::decode() {
  m_layout = lay_out(m_module, m_function, m_program);
  m_program.flow = control_flow_of(m_function);
  give_registers_slots();
  count_definitions();
  for (uint32_t b = 0; b < m_program.flow.blocks.size() && m_diagnostics.size() < 20; ++b) decode_block(b);
  if (m_program.ops.empty() || m_function.instructions.empty()) emit_exit();
  patch_branches();
  clear_uninitialised();
  m_program.frame_bytes = m_frame.bytes();
  return std::move(m_diagnostics);
}

void Decoder::give_registers_slots() {
  for (const ptx::Register& r : m_function.registers) {
    if (is_predicate(r.type)) {
      m_program.register_slots.push_back(m_frame.predicate());
      continue;
    }
    m_program.register_slots.push_back(m_frame.lanes(register_bits(r.type)));
    for (uint8_t i = 1; i < r.vector; ++i) m_frame.lanes(register_bits(r.type));  // components follow
  }
  m_alias.assign(m_function.registers.size(), no_slot);
}

void Decoder::count_definitions() {
  m_definitions.assign(m_function.registers.size(), 0);
  m_first_read.assign(m_function.registers.size(), 0xffffffff);
  for (uint32_t i = 0; i < m_function.instructions.size(); ++i) {
    const Uses uses = uses_of(m_function, m_function.instructions[i]);
    for (uint32_t r : uses.writes) ++m_definitions[r];
    for (uint32_t r : uses.reads) m_first_read[r] = std::min(m_first_read[r], i);
  }
}

void Decoder::clear_uninitialised() {
  for (uint32_t r : maybe_uninitialised(m_function, m_program.flow)) {
    if (m_alias[r] != no_slot || m_constant_register[r]) continue;  // set once for all blocks
    const ptx::Register& reg = m_function.registers[r];
    const uint32_t bytes =
        is_predicate(reg.type) ? 4 : Frame::exec_bytes(register_bits(reg.type)) * reg.vector;
    m_program.cleared.emplace_back(m_program.register_slots[r], bytes);
  }
}

void Decoder::refuse(const Instruction& instruction, std::string why) {
  std::string text(ptx::text_of(instruction.opcode));
  for (Modifier m : m_function.modifiers_of(instruction)) text += fmt::format(".{}", ptx::text_of(m));
  m_diagnostics.push_back(
      {Severity::error, m_module.name, instruction.line, 0, fmt::format("{}: {}", text, why)});
}

void Decoder::refuse(const Instruction& instruction) {
  refuse(instruction, "the virtual GPU does not run this form yet.");
}

DecodeResult decode(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                    const exec::OpsTable& table) {
  DecodeResult result;
  const ptx::Function* function = module->find_entry(entry);
  if (function == nullptr) {
    std::string entries;
    for (const ptx::Function& f : module->functions) {
      if (f.is_entry) entries += fmt::format("{}{}", entries.empty() ? "" : ", ", f.name);
    }
    result.diagnostics.push_back({Severity::error, module->name, 0, 0,
                                  fmt::format("there is no kernel \"{}\"; this module has: {}.", entry,
                                              entries.empty() ? "none" : entries)});
    return result;
  }
  auto program = std::make_shared<Program>();
  program->module = std::move(module);
  program->function = function;
  result.diagnostics = Decoder(*program, table).decode();
  if (result.diagnostics.empty()) result.program = std::move(program);
  return result;
}

}  // namespace warplens::ir
