// warplens compile: CUDA C++ to PTX, its errors at their lines, and what the real assembler makes of each
// kernel.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/base/format.h"
#include "app/cli/compile/compile_compare.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/compile/choice.h"
#include "core/job/report/report_fields.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

constexpr uint64_t max_source_bytes = uint64_t{16} << 20;

struct CompileChoices {
  std::string source, device, out, compiler;
  bool json = false, debug = false, compare = false;
};

struct EntryResources {
  std::string entry;
  Result<Resources> resources;
};

std::vector<EntryResources> resources_of_entries(const std::string& ptx, const std::string& name,
                                                 const Device& device) {
  std::vector<EntryResources> entries;
  const ptx::ParseResult parsed = ptx::parse(ptx, name);
  if (!parsed.module) return entries;
  for (const ptx::Function& function : parsed.module->functions)
    if (function.is_entry)
      entries.push_back(
          {std::string(function.name), resources_of(ptx, function.name, device.compute_capability)});
  return entries;
}

ReportJson compile_json(const Device& device, const Compilation& compiled,
                        const std::vector<EntryResources>& entries) {
  ReportJson diagnostics = ReportJson::array(), kernels = ReportJson::array();
  for (const Diagnostic& d : compiled.diagnostics)
    diagnostics.push_back({{"severity", d.severity == Severity::error     ? "error"
                                        : d.severity == Severity::warning ? "warning"
                                                                          : "note"},
                           {"file", d.file},
                           {"line", d.line == 0 ? ReportJson(nullptr) : ReportJson(d.line)},
                           {"message", d.message}});
  for (const EntryResources& entry : entries)
    kernels.push_back(
        {{"entry", entry.entry},
         {"resources", resources_json(entry.resources ? std::optional(*entry.resources) : std::nullopt)}});
  return {{"schema", 1},
          {"ok", compiled.ok},
          {"device", device_json(device)},
          {"compiler", compiled.compiler},
          {"compile_ms", compiled.compile_ms},
          {"diagnostics", std::move(diagnostics)},
          {"kernels", std::move(kernels)}};
}

void print_entries(const Device& device, const Compilation& compiled,
                   const std::vector<EntryResources>& entries, Cli& cli) {
  cli.out << fmt::format("Compiled for {} by {} in {}  [measured]\n", device.name, compiled.compiler,
                         milliseconds_text(compiled.compile_ms));
  for (const EntryResources& entry : entries) {
    if (!entry.resources) {
      cli.out << fmt::format("  {}: resources are unknown\n", entry.entry);
      cli.say(entry.resources.error().message);
      continue;
    }
    const Resources& r = *entry.resources;
    cli.out << fmt::format(
        "  {}: {} registers, {} of spill stores, {} of spill loads, {} of static shared memory, {} of "
        "local memory a thread  [{}]\n",
        entry.entry, r.registers_per_thread, bytes_text(r.spill_store_bytes), bytes_text(r.spill_load_bytes),
        bytes_text(r.shared_static_bytes), bytes_text(r.local_bytes), to_string(r.origin));
  }
  if (entries.empty()) cli.out << "  There is no kernel (__global__ function) in it.\n";
}

Result<void> compare(const CompileChoices& choices, Cli& cli) {
  const std::pair<bool, const char*> others[] = {
      {!choices.compiler.empty(), "--compiler"}, {!choices.out.empty(), "--out"}, {choices.debug, "--debug"}};
  for (const auto& [given, name] : others)
    if (given)
      return bad_input(
          fmt::format("--compare compiles by both compilers and saves nothing; leave {} out", name));
  const Result<Device> device = find_device(choices.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  return compare_compilers(choices.source, *device, choices.json, cli);
}

Result<void> compile(const CompileChoices& choices, Cli& cli) {
  if (choices.compare) return compare(choices, cli);
  const Result<std::string> source = read_text(choices.source, max_source_bytes);
  if (!source) return source.error();
  const Result<Device> device = find_device(choices.device, cli.real_gpus);
  if (!device) return device.error();
  if (!choices.out.empty())
    if (const Result<void> writable = check_writable(choices.out); !writable) return writable.error();
  const InterruptGuard interrupt(cli.stop);
  CompileOptions options;
  options.architecture = device->compute_capability;
  options.debug = choices.debug;
  options.kind = *compiler_named(choices.compiler);  // one of those that are allowed
  const std::string name = std::filesystem::path(choices.source).filename().string();
  const Result<Compilation> compiled = compile_cuda(*source, name, options, cli.stop.get_token());
  if (!compiled) return compiled.error();
  cli.err << to_text(compiled->diagnostics);
  const std::vector<EntryResources> entries =
      compiled->ok ? resources_of_entries(compiled->ptx, name, *device) : std::vector<EntryResources>{};
  if (choices.json)
    cli.out << json_values::indented(compile_json(*device, *compiled, entries));
  else if (compiled->ok)
    print_entries(*device, *compiled, entries, cli);
  if (!compiled->ok) return bad_input(fmt::format("{} does not compile; correct the lines above", name));
  if (!choices.out.empty()) return write_text(choices.out, compiled->ptx);
  return {};
}

}  // namespace

CliCommand compile_command(Cli& cli) {
  const auto choices = std::make_shared<CompileChoices>();
  return {"compile",
          "Compile CUDA C++: errors, PTX, registers, spills, shared memory",
          {{.name = "source",
            .value = &choices->source,
            .help = "CUDA C++ source; with --compare also the name of a built-in kernel",
            .value_name = "FILE.cu",
            .required = true},
           {"--device", &choices->device,
            "Device to compile for (default: cuda:0 if there is one, else RTX 3060)", "NAME"},
           {"--out", &choices->out, "Save the PTX", "FILE.ptx"},
           {.name = "--compiler",
            .value = &choices->compiler,
            .help = "Default: WARPLENS_COMPILER, else NVRTC if it is installed",
            .allowed = {"nvrtc", "clang"}},
           {"--compare", &choices->compare,
            "By NVRTC and by clang: PTX, registers and counters side by side, and the lines that differ"},
           {"--debug", &choices->debug, "With variables by name for Step; nothing is optimised"},
           {"--json", &choices->json, "Print JSON"}},
          [choices, &cli] { return compile(*choices, cli); }};
}

}  // namespace warplens
