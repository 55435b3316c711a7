// warplens compile: CUDA C++ to PTX, its errors at their lines, and what the real assembler makes of each
// kernel.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <iterator>
#include <ostream>

#include "app/base/format.h"
#include "app/cli/compile/compile_compare.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/compile/choice.h"
#include "core/device/capability_text.h"
#include "core/job/report/report_fields.h"
#include "core/lesson/judge/sandbox.h"
#include "core/ptx/parser/parse.h"
#include "core/system/paths.h"

namespace warplens {

namespace {

constexpr uint64_t max_source_bytes = uint64_t{16} << 20;

// Of a source that is compiled in the sandbox.
constexpr uint64_t max_sandboxed_bytes = uint64_t{1} << 20;

struct CompileChoices {
  std::string source, name, device, architecture, out, compiler;
  bool json = false, debug = false, compare = false, sandbox = false;
  double seconds = 10, memory_mib = 2048;  // in the sandbox
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
                           {"column", d.column == 0 ? ReportJson(nullptr) : ReportJson(d.column)},
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
          {"kernels", std::move(kernels)},
          {"ptx", compiled.ok ? ReportJson(compiled.ptx) : ReportJson(nullptr)}};
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

// The source of a file, or of standard input.
Result<std::string> read_source(const CompileChoices& choices) {
  const uint64_t most = choices.sandbox ? max_sandboxed_bytes : max_source_bytes;
  if (choices.source != "-") return read_text(choices.source, most);
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  if (text.size() > most) return bad_input(fmt::format("The source has more than {} MiB.", most >> 20));
  return text;
}

// The device, or any that has the chosen compute capability.
Result<Device> device_of(const CompileChoices& choices, Cli& cli) {
  Result<Device> device = find_device(choices.device, cli.real_gpus);
  if (!device || choices.architecture.empty()) return device;
  const auto capability = capability_in(choices.architecture);
  if (!capability || capability->minor > 9)
    return bad_input(
        fmt::format("--architecture {}: write a compute capability, as 8.6", choices.architecture));
  device->compute_capability = *capability;
  return device;
}

std::string name_of(const CompileChoices& choices) {
  if (!choices.name.empty()) return choices.name;
  return choices.source == "-" ? "kernel.cu" : std::filesystem::path(choices.source).filename().string();
}

// Why the sandbox ended without an answer.
std::string why_it_ended(const ProcessEnd& end, const CompileChoices& choices) {
  if (end.timed_out)
    return fmt::format("The compiler was stopped after {:.0f} s: this source takes too long.",
                       choices.seconds);
  if (lesson::speaks_of_memory(end.err))
    return fmt::format("The compiler needs more memory than the allowed {:.0f} MiB.", choices.memory_mib);
  return "The compiler did not survive this source.";
}

// The same command once more, in the sandbox; its JSON is printed as it comes.
Result<void> compile_in_sandbox(const CompileChoices& choices, const std::string& source,
                                const Device& device, Cli& cli) {
  if (!choices.json || !choices.out.empty())
    return bad_input("--sandbox prints JSON and saves nothing: write --json, and leave --out out");
  std::vector<std::string> words = {
      program_path().string(),
      "compile",
      "-",
      "--json",
      "--name=" + name_of(choices),
      fmt::format("--architecture={}.{}", device.compute_capability.major, device.compute_capability.minor)};
  if (!choices.compiler.empty()) words.insert(words.end(), {"--compiler", choices.compiler});
  if (choices.debug) words.emplace_back("--debug");
  ProcessLimits limits;
  limits.time = std::chrono::milliseconds(int64_t(choices.seconds * 1000));
  limits.address_bytes = uint64_t(choices.memory_mib) << 20;
  const Result<ProcessEnd> end = lesson::run_in_sandbox(words, source, limits, cli.stop.get_token());
  if (!end) return missing("--sandbox needs bubblewrap (Debian: apt install bubblewrap).");
  if (end->out.empty() && end->err.starts_with("bwrap: "))
    return missing(fmt::format("bubblewrap does not work on this machine, so nothing was compiled: {}",
                               trimmed(end->err)));
  if (end->status == exit_status::missing) return missing(std::string(trimmed(end->err)));
  if (end->out.ends_with("}\n")) {
    cli.out << end->out;
    cli.status = end->status;
    return {};
  }
  Compilation failed;
  failed.diagnostics.push_back({Severity::error, name_of(choices), 0, 0, why_it_ended(*end, choices)});
  cli.out << json_values::indented(compile_json(device, failed, {}));
  return bad_input(failed.diagnostics.front().message);
}

Result<void> compile(const CompileChoices& choices, Cli& cli) {
  if (choices.compare) return compare(choices, cli);
  const Result<std::string> source = read_source(choices);
  if (!source) return source.error();
  const Result<Device> device = device_of(choices, cli);
  if (!device) return device.error();
  if (!choices.out.empty())
    if (const Result<void> writable = check_writable(choices.out); !writable) return writable.error();
  const InterruptGuard interrupt(cli.stop);
  if (choices.sandbox) return compile_in_sandbox(choices, *source, *device, cli);
  CompileOptions options;
  options.architecture = device->compute_capability;
  options.debug = choices.debug;
  options.kind = *compiler_named(choices.compiler);  // one of those that are allowed
  const std::string name = name_of(choices);
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
  return {
      "compile",
      "Compile CUDA C++: errors, PTX, registers, spills, shared memory",
      {{.name = "source",
        .value = &choices->source,
        .help = "CUDA C++ source, or - for standard input; with --compare also the name of a built-in kernel",
        .value_name = "FILE.cu",
        .required = true},
       {"--device", &choices->device,
        "Device to compile for (default: cuda:0 if there is one, else RTX 3060)", "NAME"},
       {"--architecture", &choices->architecture,
        "Compute capability to compile for, in place of the device's", "X.Y"},
       {"--name", &choices->name, "What the messages and the PTX call the source", "NAME.cu"},
       {"--out", &choices->out, "Save the PTX", "FILE.ptx"},
       {.name = "--compiler",
        .value = &choices->compiler,
        .help = "Default: WARPLENS_COMPILER, else NVRTC if it is installed",
        .allowed = {"nvrtc", "clang"}},
       {"--compare", &choices->compare,
        "By NVRTC and by clang: PTX, registers and counters side by side, and the lines that differ"},
       {"--debug", &choices->debug, "With variables by name for Step; nothing is optimised"},
       {"--json", &choices->json, "Print JSON, with the PTX"},
       {"--sandbox", &choices->sandbox,
        "As code of another person: without a network and without files, as answers are judged"},
       {.name = "--time",
        .value = &choices->seconds,
        .help = "Seconds that it may take in the sandbox (default: 10)",
        .value_name = "SECONDS",
        .range = std::pair{0.1, 3600.0}},
       {.name = "--memory",
        .value = &choices->memory_mib,
        .help = "Address space that it may take there in MiB (default: 2048)",
        .value_name = "MIB",
        .range = std::pair{256.0, 1048576.0}}},
      [choices, &cli] { return compile(*choices, cli); }};
}

}  // namespace warplens
