// Tree → program. One pass over the instructions in program order; each becomes an op, or several (a guard in
// front, a rounding mode, a narrowing of a wide source), or none: a copy of a launch constant only renames
// its register.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "core/program/decode/decoder.h"
#include "core/program/flow/liveness.h"

namespace warplens::program {

Decoder::Decoder(Program& program, uint32_t place, const CallGraph& graph, const Layout& layout, Frame& frame,
                 const OpsTable& table)
    : m_program(program),
      m_module(*program.module),
      m_function(*program.functions[place].function),
      m_code(program.functions[place]),
      m_place(place),
      m_graph(graph),
      m_table(table),
      m_frame(frame),
      m_layout(layout) {
  m_flow = control_flow_of(m_function);
  give_registers_slots();
  count_definitions();
  give_signature_slots();
}

std::vector<Diagnostic> Decoder::decode() {
  m_code.entry_op = static_cast<uint32_t>(m_program.ops.size());
  spill_parameters();
  find_watched_registers();
  for (uint32_t b = 0; b < m_flow.blocks.size() && m_diagnostics.size() < 20; ++b) decode_block(b);
  if (m_flow.blocks.empty()) emit_end();
  patch_branches();
  link_ops();
  clear_uninitialised();
  append_flow();
  if (m_program.for_stepping) m_code.register_slots = m_register_slots;
  return std::move(m_diagnostics);
}

// The program's flow is that of all functions, numbered through.
void Decoder::append_flow() {
  ControlFlow& all = m_program.flow;
  const uint32_t first = m_code.first_block;
  for (BasicBlock block : m_flow.blocks) {
    block.first += m_code.first_instruction;
    for (uint32_t& successor : block.successors) successor += first;
    if (block.post_dominator != no_block) block.post_dominator += first;
    all.blocks.push_back(std::move(block));
  }
  for (const uint32_t block : m_flow.block_of) all.block_of.push_back(block + first);
  all.reachable.insert(all.reachable.end(), m_flow.reachable.begin(), m_flow.reachable.end());
}

void Decoder::give_registers_slots() {
  for (const ptx::Register& r : m_function.registers) {
    if (is_predicate(r.type)) {
      m_register_slots.push_back(m_frame.predicate());
      continue;
    }
    m_register_slots.push_back(m_frame.lanes(register_bits(r.type)));
    for (uint8_t i = 1; i < r.vector; ++i) m_frame.lanes(register_bits(r.type));  // components follow
  }
  m_alias.assign(m_function.registers.size(), no_slot);
}

void Decoder::count_definitions() {
  m_definitions.assign(m_function.registers.size(), 0);
  m_first_read.assign(m_function.registers.size(), never_read);
  for (uint32_t i = 0; i < m_function.instructions.size(); ++i) {
    const Uses uses = uses_of(m_function, m_function.instructions[i]);
    for (uint32_t r : uses.writes) ++m_definitions[r];
    for (uint32_t r : uses.reads) m_first_read[r] = std::min(m_first_read[r], i);
  }
}

const std::vector<std::vector<uint64_t>>& Decoder::live_at_start() {
  if (!m_live) m_live = live_at_starts(m_function, m_flow);
  return *m_live;
}

// Registers that are read behind the block; empty: unknown.
std::vector<uint64_t> Decoder::live_behind(const BasicBlock& block) {
  if (live_at_start().empty()) return {};
  std::vector<uint64_t> live((m_function.registers.size() + 63) / 64);
  for (const uint32_t next : block.successors) {
    for (size_t w = 0; w < live.size(); ++w) live[w] |= live_at_start()[next][w];
  }
  return live;
}

void Decoder::clear_uninitialised() {
  for (uint32_t r : maybe_uninitialised(m_function, live_at_start())) {
    if (m_alias[r] != no_slot || m_constant_register[r]) continue;  // set once for all blocks
    const ptx::Register& reg = m_function.registers[r];
    const uint32_t bytes =
        is_predicate(reg.type) ? 4 : Frame::exec_bytes(register_bits(reg.type)) * reg.vector;
    m_program.cleared.emplace_back(m_register_slots[r], bytes);
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

namespace {

bool uses(const ptx::Function& function, Opcode opcode) {
  return std::any_of(function.instructions.begin(), function.instructions.end(),
                     [&](const Instruction& i) { return i.opcode == opcode; });
}

uint32_t count_predicates(const Program& program) {
  size_t count = 0;
  for (const FunctionCode& code : program.functions) {
    const auto& registers = code.function->registers;
    count += static_cast<size_t>(std::count_if(registers.begin(), registers.end(),
                                               [](const ptx::Register& r) { return is_predicate(r.type); }));
  }
  return static_cast<uint32_t>(count);
}

void list_functions(Program& program, const CallGraph& graph) {
  program.function_places = graph.place;
  uint32_t instructions = 0;
  for (uint32_t place = 0; place < graph.functions.size(); ++place) {
    FunctionCode code;
    code.function = &program.module->functions[graph.functions[place]];
    code.first_instruction = instructions;
    instructions += static_cast<uint32_t>(code.function->instructions.size());
    const bool stack = graph.is_recursive(place) || uses(*code.function, Opcode::alloca_);
    code.on_stack = place != 0 && stack;
    if (stack) program.stack_bytes = stack_limit_bytes;
    program.functions.push_back(std::move(code));
  }
}

// Far more than the largest kernels have; a text made to exhaust memory is refused.
constexpr uint32_t max_frame_bytes = 64 << 20;
// All variables of a space together; the parser looks at each by itself.
constexpr uint32_t max_shared_bytes = 1 << 20, max_local_bytes = 64 << 20, max_parameter_bytes = 1 << 20;

// The space in which more is declared than there is room for, and how much; empty: none.
std::string too_large(const Program& program) {
  const auto text = [](const char* space, uint32_t bytes, uint32_t most) {
    if (bytes <= most) return std::string();
    return fmt::format(
        "the variables in {} that this kernel and its functions declare take {} bytes together; the virtual "
        "GPU has room for {}. Declare fewer, or smaller ones.",
        space, bytes == UINT32_MAX ? "4294967295 or more" : std::to_string(bytes), most);
  };
  uint32_t local = program.local_bytes;
  for (const FunctionCode& code : program.functions) local = std::max(local, code.stack_bytes);
  return text(".shared", program.shared_static_bytes, max_shared_bytes) +
         text(".local", local, max_local_bytes) +
         text(".param", program.parameter_bytes, max_parameter_bytes);
}

std::vector<Diagnostic> decode_functions(Program& program, const OpsTable& table) {
  const auto entry = static_cast<uint32_t>(program.function - program.module->functions.data());
  const CallGraph graph = call_graph_of(*program.module, entry);
  if (!graph.is_complete) {
    return {{Severity::error, program.module->name, program.function->line, 0,
             fmt::format("this kernel calls more than {} functions, more than the virtual GPU can hold.",
                         max_functions)}};
  }
  list_functions(program, graph);
  const std::vector<Layout> layouts = lay_out(*program.module, program);
  if (std::string why = too_large(program); !why.empty())
    return {{Severity::error, program.module->name, program.function->line, 0, std::move(why)}};
  // Every function can be active at least once, however large its variables are.
  uint64_t stack_bytes = program.stack_bytes;
  for (const FunctionCode& code : program.functions) stack_bytes += code.stack_bytes;
  program.stack_bytes = static_cast<uint32_t>(std::min<uint64_t>(stack_bytes, max_stack_bytes));
  Frame frame(count_predicates(program));
  std::deque<Decoder> decoders;  // all have their registers before the first one decodes a call of another
  for (uint32_t place = 0; place < program.functions.size(); ++place) {
    decoders.emplace_back(program, place, graph, layouts[place], frame, table);
    if (frame.bytes() <= max_frame_bytes) continue;
    return {{Severity::error, program.module->name, program.functions[place].function->line, 0,
             "the functions that this kernel calls have more registers than the virtual GPU can hold."}};
  }
  std::vector<Diagnostic> diagnostics;
  for (uint32_t place = 0; place < decoders.size(); ++place) {
    program.functions[place].first_block = static_cast<uint32_t>(program.flow.blocks.size());
    const std::vector<Diagnostic> found = decoders[place].decode();
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    if (diagnostics.size() >= 20) break;
  }
  program.frame_bytes = frame.bytes();
  return diagnostics;
}

}  // namespace

DecodeResult decode(std::shared_ptr<const ptx::Module> module, std::string_view entry, const OpsTable& table,
                    DecodeMode mode) {
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
  program->for_stepping = mode.stepping;
  program->watching = mode.watching;
  result.diagnostics = decode_functions(*program, table);
  if (result.diagnostics.empty()) result.program = std::move(program);
  return result;
}

}  // namespace warplens::program
