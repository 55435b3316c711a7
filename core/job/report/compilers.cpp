#include "core/job/report/compilers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/figures.h"
#include "core/base/json/json_values.h"
#include "core/base/text_line.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

constexpr size_t lines_in_text = 5;  // the JSON has them all

void count(const ptx::Function& function, PtxFacts& facts) {
  for (size_t at = 0; at < function.instructions.size(); ++at) {
    const ptx::Instruction& instruction = function.instructions[at];
    ++facts.instructions;
    const bool is_branch = instruction.opcode == ptx::Opcode::bra;
    if (is_branch) {
      const ptx::Operand& target = function.operands_of(instruction)[0];
      const bool back = function.labels[target.index].instruction <= at;
      ++(back ? facts.loops : facts.forward);
    }
    facts.selections += instruction.opcode == ptx::Opcode::selp || (instruction.guarded && !is_branch);
    facts.fused += instruction.opcode == ptx::Opcode::fma;
    facts.wide += std::ranges::any_of(function.modifiers_of(instruction), [](ptx::Modifier modifier) {
      return modifier == ptx::Modifier::v2 || modifier == ptx::Modifier::v4;
    });
  }
}

// A row of the table: a number for each compiler, and where it comes from.
struct ComparedFigure {
  const char* label;
  const char* name;  // in JSON
  double values[2];
  const char* source;
  bool known = true;
};

std::vector<ComparedFigure> figures_of(const MadeBy& a, const MadeBy& b) {
  std::vector<ComparedFigure> figures;
  const auto add = [&](const char* label, const char* name, const char* source, auto value_of) {
    const std::optional<double> of[2] = {value_of(a), value_of(b)};
    const bool known = of[0] && of[1];
    figures.push_back({label, name, {of[0].value_or(0), of[1].value_or(0)}, source, known});
  };
  const auto of_ptx = [](uint32_t PtxFacts::*field) {
    return [field](const MadeBy& made) { return std::optional<double>(made.ptx.*field); };
  };
  const auto of_resources = [](uint32_t Resources::*field) {
    return [field](const MadeBy& made) {
      return made.result.resources ? std::optional<double>((*made.result.resources).*field) : std::nullopt;
    };
  };
  const auto of_counters = [](auto value_of) {
    return [value_of](const MadeBy& made) {
      return made.result.counters ? std::optional<double>(double(value_of(*made.result.counters)))
                                  : std::nullopt;
    };
  };
  add("instructions in the PTX", "ptx_instructions", "counted", of_ptx(&PtxFacts::instructions));
  const char* origin = a.result.resources ? to_string(a.result.resources->origin) : "";
  add("registers a thread", "registers_per_thread", origin, of_resources(&Resources::registers_per_thread));
  add("spilled bytes a thread", "spill_store_bytes", origin, of_resources(&Resources::spill_store_bytes));
  const auto counter = [&](const char* label, const char* name, auto value_of) {
    add(label, name, "counted", of_counters(value_of));
  };
  counter("warp instructions", "warp_instructions", [](const Counters& c) { return c.warp_instructions; });
  counter("branches", "branches", [](const Counters& c) { return c.branches; });
  counter("divergent branches", "divergent_branches", [](const Counters& c) { return c.divergent_branches; });
  counter("requests to global memory", "global_requests", global_requests);
  counter("sectors of global memory", "global_sectors", global_sectors);
  counter("wavefronts of shared memory", "shared_wavefronts",
          [](const Counters& c) { return shared_counts(c).wavefronts; });
  counter("sectors of local memory", "local_sectors",
          [](const Counters& c) { return c.local_load_sectors + c.local_store_sectors; });
  add("kernel, in the time model (µs)", "kernel_us", "modelled",
      [](const MadeBy& made) { return made.result.time.kernel; });
  return figures;
}

struct LineOfBoth {
  uint32_t line = 0;
  uint64_t instructions[2] = {0, 0};
  uint64_t apart() const {
    return std::max(instructions[0], instructions[1]) - std::min(instructions[0], instructions[1]);
  }
};

// The lines of the source, sorted by the difference in warp instructions, the largest first; equal ones are
// left out.
std::vector<LineOfBoth> lines_apart(const MadeBy& a, const MadeBy& b) {
  std::map<uint32_t, LineOfBoth> lines;
  const MadeBy* made[2] = {&a, &b};
  for (int which = 0; which < 2; ++which)
    for (const LineCounters& line : made[which]->result.lines)
      if (line.line != 0 && line.file == made[which]->kernel->source_name) {
        lines[line.line].line = line.line;
        lines[line.line].instructions[which] += line.warp_instructions;
      }
  std::vector<LineOfBoth> apart;
  for (const auto& [number, line] : lines)
    if (line.apart() != 0) apart.push_back(line);
  std::ranges::stable_sort(apart, std::greater{}, &LineOfBoth::apart);
  return apart;
}

bool apart(double a, double b, double ratio) {
  return std::max(a, b) > std::max(1.0, std::min(a, b)) * ratio;
}

// The common reasons, each with the figures that support it.
std::vector<std::string> reasons(const MadeBy& a, const MadeBy& b) {
  std::vector<std::string> sentences;
  const auto more_and_less = [&](auto value_of) {
    return value_of(a) >= value_of(b) ? std::pair{&a, &b} : std::pair{&b, &a};
  };
  if (a.result.counters && b.result.counters) {
    const auto branches = [](const MadeBy& made) { return made.result.counters->branches; };
    const auto [more, less] = more_and_less(branches);
    if (more->ptx.loops > 0 && apart(double(branches(a)), double(branches(b)), 1.2))
      sentences.push_back(fmt::format("{} unrolls loops further: {} branches in place of {}.", less->compiler,
                                      thousands(branches(*less)), thousands(branches(*more))));
  }
  const auto selections = [](const MadeBy& made) { return made.ptx.selections; };
  if (const auto [more, less] = more_and_less(selections);
      selections(*more) > selections(*less) && more->ptx.forward < less->ptx.forward)
    sentences.push_back(
        fmt::format("{} selects or guards with a predicate ({} instructions, and {} of {}) where {} branches "
                    "({}, and {}).",
                    more->compiler, more->ptx.selections, less->ptx.selections, less->compiler,
                    less->compiler, less->ptx.forward, more->ptx.forward));
  const auto fused = [](const MadeBy& made) { return made.ptx.fused; };
  if (const auto [more, less] = more_and_less(fused); fused(*less) == 0 && fused(*more) > 0)
    sentences.push_back(
        fmt::format("{} fuses products with sums ({} times), {} does not: results can differ in "
                    "the last place.",
                    more->compiler, more->ptx.fused, less->compiler));
  const auto wide = [](const MadeBy& made) { return made.ptx.wide; };
  if (const auto [more, less] = more_and_less(wide); wide(*more) != wide(*less))
    sentences.push_back(fmt::format("{} has {} loads and stores of several elements at once, {} has {}.",
                                    more->compiler, more->ptx.wide, less->compiler, less->ptx.wide));
  return sentences;
}

// Whether the outputs have the same bytes; empty if one of the runs has none.
std::optional<bool> same_outputs(const MadeBy& a, const MadeBy& b) {
  const auto &of_a = a.result.outputs, &of_b = b.result.outputs;
  if (of_a.empty() || of_a.size() != of_b.size()) return std::nullopt;
  for (size_t i = 0; i < of_a.size(); ++i)
    if (*of_a[i].bytes != *of_b[i].bytes) return false;
  return true;
}

std::string value_text(double value) {
  return value == double(uint64_t(value)) ? thousands(uint64_t(value)) : significant(value);
}

}  // namespace

PtxFacts ptx_facts(const std::string& ptx) {
  PtxFacts facts;
  const ptx::ParseResult parsed = ptx::parse(ptx, "kernel.ptx");
  if (parsed.module)
    for (const ptx::Function& function : parsed.module->functions) count(function, facts);
  return facts;
}

Result<MadeBy> run_made(std::string compiler, double compile_ms,
                        const std::shared_ptr<const KernelDescription>& kernel, const Device& device,
                        Backend& backend, std::stop_token stop) {
  const Result<Job> job = make_job(kernel, default_setup(*kernel), device, {});
  if (!job) return job.error();
  Result<RunResult> result = run_job(*job, backend, std::move(stop), nullptr);
  if (!result) return result.error();
  MadeBy made{std::move(compiler), compile_ms, kernel, ptx_facts(kernel->ptx), std::move(*result)};
  return made;
}

Result<MadeBy> run_made(const Result<CompiledKernel>& compiled, const Device& device, Backend& backend,
                        std::stop_token stop) {
  if (!compiled) return compiled.error();
  if (!compiled->own.kernel) return error_of(compiled->own.diagnostics);
  return run_made(compiled->compiler, compiled->compile_ms, compiled->own.kernel, device, backend,
                  std::move(stop));
}

Result<MadeBy> compile_and_run(const KernelDescription& built_in, CompilerKind compiler, const Device& device,
                               Backend& backend, std::stop_token stop) {
  CompileOptions options;
  options.kind = compiler;
  options.architecture = device.compute_capability;
  const Result<Compilation> compiled = compile_cuda(built_in.source, built_in.source_name, options, stop);
  if (!compiled) return compiled.error();
  if (!compiled->ok) return bad_input(to_text(compiled->diagnostics));
  auto kernel = std::make_shared<KernelDescription>(built_in);
  kernel->ptx = compiled->ptx;
  return run_made(compiled->compiler, compiled->compile_ms, std::move(kernel), device, backend,
                  std::move(stop));
}

std::string compared_text(const MadeBy& first, const MadeBy& second) {
  std::string text = fmt::format("  {:<32}{:>16}{:>16}{:>8}\n", "", first.compiler, second.compiler, "ratio");
  text +=
      fmt::format("  {:<32}{:>13.0f} ms{:>13.0f} ms{:>8.2f}  [measured]\n", "compilation", first.compile_ms,
                  second.compile_ms, second.compile_ms / std::max(first.compile_ms, 1e-3));
  for (const ComparedFigure& figure : figures_of(first, second)) {
    if (!figure.known || (figure.values[0] == 0 && figure.values[1] == 0)) continue;
    const std::string ratio =
        figure.values[0] == 0 ? "" : fmt::format("{:.2f}", figure.values[1] / figure.values[0]);
    text += fmt::format("  {}{:>16}{:>16}{:>8}  [{}]\n", padded(figure.label, 32, false),
                        value_text(figure.values[0]), value_text(figure.values[1]), ratio, figure.source);
  }
  if (const std::optional<bool> same = same_outputs(first, second))
    text += *same ? "  The outputs hold the same bytes.\n" : "  The outputs differ.\n";
  for (const MadeBy* made : {&first, &second})
    if (made->result.status != RunStatus::ok)
      text += fmt::format("  By {}: {}. {}\n", made->compiler, to_string(made->result.status),
                          made->result.message);
  const std::vector<LineOfBoth> lines = lines_apart(first, second);
  if (!lines.empty())
    text += fmt::format("\n{}: the lines whose warp instructions differ most\n", first.kernel->source_name);
  for (size_t i = 0; i < std::min(lines.size(), lines_in_text); ++i)
    text += fmt::format("  {:>4} {:>16}{:>16}  {}\n", lines[i].line, thousands(lines[i].instructions[0]),
                        thousands(lines[i].instructions[1]),
                        trimmed_line_of(first.kernel->source, lines[i].line));
  if (lines.size() > lines_in_text)
    text += fmt::format("  and {} more; --json lists them all\n", lines.size() - lines_in_text);
  const std::vector<std::string> why = reasons(first, second);
  if (!why.empty()) text += "\n";
  for (const std::string& sentence : why) text += "  " + sentence + "\n";
  return text;
}

ReportJson compared_json(const MadeBy& first, const MadeBy& second) {
  ReportJson figures = ReportJson::object(), lines = ReportJson::array();
  for (const ComparedFigure& figure : figures_of(first, second))
    figures[figure.name] = figure.known ? ReportJson{json_values::number(figure.values[0]),
                                                     json_values::number(figure.values[1])}
                                        : ReportJson(nullptr);
  for (const LineOfBoth& line : lines_apart(first, second))
    lines.push_back(
        {{"line", line.line}, {"warp_instructions", {line.instructions[0], line.instructions[1]}}});
  const std::optional<bool> same = same_outputs(first, second);
  return {{"schema", 1},
          {"kernel", first.kernel->name},
          {"compilers", {first.compiler, second.compiler}},
          {"compile_ms", {first.compile_ms, second.compile_ms}},
          {"status", {to_string(first.result.status), to_string(second.result.status)}},
          {"figures", std::move(figures)},
          {"same_outputs", same ? ReportJson(*same) : ReportJson(nullptr)},
          {"lines", std::move(lines)},
          {"reasons", reasons(first, second)}};
}

}  // namespace warplens
