// Tree → program: which functions are decoded, in what order, and whether everything fits.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "core/program/decode/decode_function.h"
#include "core/program/decode/passed.h"

namespace warplens::program {

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
// All variables of a space together; the parser checks each one by itself.
constexpr uint32_t max_shared_bytes = 1 << 20, max_local_bytes = 64 << 20, max_parameter_bytes = 1 << 20;

// The space in which more is declared than fits, and how much; empty if there is none.
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
  std::deque<Emitter> emitters;  // all have their registers before the first one decodes a call to another
  for (uint32_t place = 0; place < program.functions.size(); ++place) {
    give_signature_slots(emitters.emplace_back(program, place, graph, layouts[place], frame, table));
    if (frame.bytes() <= max_frame_bytes) continue;
    return {{Severity::error, program.module->name, program.functions[place].function->line, 0,
             "the functions that this kernel calls have more registers than the virtual GPU can hold."}};
  }
  std::vector<Diagnostic> diagnostics;
  for (uint32_t place = 0; place < emitters.size(); ++place) {
    program.functions[place].first_block = static_cast<uint32_t>(program.flow.blocks.size());
    const std::vector<Diagnostic> found = decode_function(emitters[place]);
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
  program->base = mode.base;
  program->table = &table;
  result.diagnostics = decode_functions(*program, table);
  if (result.diagnostics.empty()) result.program = std::move(program);
  return result;
}

}  // namespace warplens::program
