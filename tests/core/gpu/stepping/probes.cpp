#include "tests/core/gpu/stepping/probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <sstream>
#include <tuple>
#include <vector>

#include "core/compile/compiler.h"
#include "core/program/op/address_space.h"

namespace warplens::test {

namespace {

using debug::Type;
using stepping::VariableTable;
using stepping::VariableView;

constexpr uint32_t first_probe_line = 1'000'000;
constexpr uint32_t common_number = UINT32_MAX;  // of a variable that all lanes share

// On one line, so that the lines of the source stay where they are.
constexpr const char* prelude =
    "__device__ inline unsigned long long wl_bits(float v) { return __float_as_uint(v); }\n"
    "__device__ inline unsigned long long wl_bits(double v) { return __double_as_longlong(v); }\n"
    "template <class T> __device__ inline unsigned long long wl_bits(T* v) { return (unsigned long long)v; "
    "}\n"
    "template <class T> __device__ inline unsigned long long wl_bits(const T& v) {\n"
    "  return (unsigned long long)(long long)v; }\n"
    "__device__ inline void wl_print(int id, unsigned long long bits) {\n"
    "  printf(\"%x %x %llx\\n\", id, threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), "
    "bits); }\n";

struct Probe {
  uint32_t line = 0;
  std::string variable, expression;
  std::vector<uint64_t> path;  // of parts
  bool common = false;         // of a variable that all lanes share
};

// The first instruction of a line in a function, or in a copy of an inlined one.
struct LineBegin {
  uint32_t line = 0;
  std::map<std::string, uint32_t> variables;  // in scope, by name
};

bool is_identifier(const std::string& name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name != "this" &&
         name.substr(0, 2) != "__" && std::ranges::all_of(name, is_word);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string trimmed(std::string text) {
  if (const size_t comment = text.find("//"); comment != text.npos) text.resize(comment);
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

// Whether a statement that runs once begins on the line, so that another one may be inserted before it.
bool begins_statement(const std::vector<std::string>& lines, uint32_t number) {
  if (number == 0 || number > lines.size()) return false;
  const std::string text = trimmed(lines[number - 1]);
  if (text.empty() || text.find_first_of("{}#") == 0) return false;
  for (const char* word : {"else", "case", "default", "while", "do ", "for (;", "public", "private", "__"})
    if (text.starts_with(word)) return text.starts_with("__sync");
  std::string before;
  for (uint32_t i = number - 1; i > 0 && before.empty(); --i) {
    before = trimmed(lines[i - 1]);
    if (before.starts_with("#")) before.clear();
  }
  return !before.empty() && std::string_view(";{}:").find(before.back()) != std::string_view::npos &&
         !before.starts_with("for (;");
}

class Prober {
 public:
  Prober(const LaunchRequest& request, const std::string& source, const std::string& name,
         const ProbeOptions& options)
      : m_request(request), m_source(source), m_lines(lines_of(source)), m_name(name), m_options(options) {}

  Result<ProbeResult> run() {
    const Result<Compilation> plain = compile(m_source);
    if (!plain) return plain.error();
    if (!plain->ok) return bad_input(plain->log);
    Result<stepping::BlockStepper> stepper = open(plain->ptx, m_options.stepping);
    if (!stepper) return stepper.error();
    if (!stepper->no_variables().empty()) return bad_input(stepper->no_variables());
    find_lines(*stepper);
    if (const Result<void> done = run_probed(); !done) return done.error();
    step(*stepper);
    compare();
    return std::move(m_result);
  }

 private:
  using Sequence = std::vector<uint64_t>;
  enum class State : uint8_t { value, not_set, no_place, unreadable };
  struct Shown {
    State state = State::value;
    uint64_t bits = 0, mask = 0;
  };

  Result<Compilation> compile(const std::string& text) const {
    CompileOptions options;
    options.architecture = m_options.architecture;
    options.debug = true;
    return compile_cuda(text, m_name, options);
  }

  Result<stepping::BlockStepper> open(const std::string& ptx, const stepping::Options& options) const {
    auto request = std::make_shared<LaunchRequest>(m_request);
    auto module = std::make_shared<ModuleText>(*m_request.module);
    module->ptx = ptx;
    module->source = m_source;
    module->source_name = m_name;
    request->module = std::move(module);
    return stepping::BlockStepper::open(request, m_options.block, options);
  }

  void find_lines(const stepping::BlockStepper& stepper) {
    const VariableTable& table = stepper.variable_table();
    std::set<uint32_t> heads;  // of functions: the statement is not on their line
    for (const debug::Function& function : table.info().functions) heads.insert(function.line);
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> seen;  // function, inlined scope, line
    for (uint32_t i = 0; i < stepper.table().instructions(); ++i) {
      const stepping::CodePlace place = stepper.place(i);
      if (place.file != m_name || heads.contains(place.line) || !begins_statement(m_lines, place.line))
        continue;
      const uint32_t function = stepper.table().instruction(i).function;
      std::vector<uint32_t> scopes = table.scopes_at(i, function);
      if (scopes.empty()) continue;
      const auto is_inlined = [&](uint32_t s) { return !table.scopes()[s].from->inlined.empty(); };
      const auto innermost = std::ranges::find_if(scopes.rbegin(), scopes.rend(), is_inlined);
      if (innermost != scopes.rend()) scopes.erase(scopes.begin(), innermost.base() - 1);
      if (!seen.emplace(function, scopes.front(), place.line).second) continue;
      add_line(table, i, place.line, scopes);
    }
  }

  void add_line(const VariableTable& table, uint32_t instruction, uint32_t line,
                const std::vector<uint32_t>& scopes) {
    LineBegin begin{.line = line, .variables = {}};
    for (const uint32_t s : scopes) {
      const stepping::CodeScope& scope = table.scopes()[s];
      for (uint32_t v = scope.first_variable; v < scope.first_variable + scope.variables; ++v) {
        const stepping::NamedVariable& named = table.variables()[v];
        const bool visible = named.from->parameter || named.from->line < line;
        const bool shared =
            named.places.size() > 1 && named.places[1].kind == stepping::VariablePlace::Kind::shared;
        if (visible && !shared && is_identifier(named.from->name)) begin.variables[named.from->name] = v;
      }
    }
    for (size_t c = 0; m_options.common && c < table.common().size(); ++c) {
      const debug::Variable& variable = *table.common()[c].from;
      const std::string& symbol = variable.place.name;  // mangled if it is in a namespace or a function
      const bool in_namespace = symbol.starts_with("_ZN");
      if (begin.variables.contains(variable.name) || !is_identifier(variable.name) || in_namespace) continue;
      begin.variables[variable.name] = common_number;
      add_probes(table.info(), variable.type, 0, {line, variable.name, variable.name, {}, true});
    }
    for (const auto& [name, v] : begin.variables)
      if (v != common_number)
        add_probes(table.info(), table.variables()[v].from->type, 0, {line, name, name, {}});
    m_begins.emplace(instruction, std::move(begin));
  }

  void add_probes(const debug::DebugInfo& info, uint32_t type_index, uint32_t row, const Probe& probe) {
    const Type& type = debug::plain_type(info, type_index);
    const auto with = [&](uint64_t part, const std::string& more) {
      Probe made = probe;
      made.path.push_back(part);
      made.expression += more;
      return made;
    };
    if (probe.path.size() > 3) return;
    switch (type.kind) {
      case Type::Kind::none:
      case Type::Kind::other_name:
        return;
      case Type::Kind::reference:
        return add_probes(info, type.element, 0, probe);
      case Type::Kind::array: {
        const uint64_t extent = row < type.extents.size() ? type.extents[row] : 0;
        const bool last = row + 1 >= type.extents.size();
        for (const uint64_t i : std::set<uint64_t>{0, 1, extent - 1})
          if (i < extent)
            add_probes(info, last ? type.element : type_index, last ? 0 : row + 1,
                       with(i, fmt::format("[{}]", i)));
        return;
      }
      case Type::Kind::structure:
        if (type.name == "__half") break;
        for (uint64_t i = 0; i < type.members.size(); ++i) {
          const debug::Member& member = type.members[i];
          if (!member.is_base && !is_identifier(member.name)) continue;
          add_probes(info, member.type, 0, with(i, member.is_base ? "" : "." + member.name));
        }
        return;
      default:
        break;
    }
    const bool half = type.kind == Type::Kind::structure;
    Probe made = probe;
    if (half) made.expression = "__half_as_ushort(" + made.expression + ")";
    const auto known = [&](const Probe& p) { return p.line == made.line && p.expression == made.expression; };
    if (std::ranges::none_of(m_probes, known)) m_probes.push_back(std::move(made));
  }

  std::string probed_source(const std::set<uint32_t>& refused) const {
    std::string text = "#line 2000000\n";
    text += prelude;
    text += "#line 1\n";
    for (uint32_t line = 1; line <= m_lines.size(); ++line) {
      std::string before;
      for (uint32_t p = 0; p < m_probes.size(); ++p) {
        if (m_probes[p].line != line || refused.contains(p)) continue;
        before += fmt::format("#line {}\nwl_print({}, wl_bits({}));\n", first_probe_line + p, p,
                              m_probes[p].expression);
      }
      if (!before.empty()) text += before + fmt::format("#line {}\n", line);
      text += m_lines[line - 1] + "\n";
    }
    return text;
  }

  // Names that cannot be used at this place (private members, captures of a lambda) are left out.
  Result<void> run_probed() {
    std::set<uint32_t> refused;
    for (uint32_t round = 0; round < 6; ++round) {
      const Result<Compilation> compiled = compile(probed_source(refused));
      if (!compiled) return compiled.error();
      if (compiled->ok) {
        m_result.probes = static_cast<uint32_t>(m_probes.size() - refused.size());
        m_refused = refused;
        return read_output(compiled->ptx);
      }
      const size_t before = refused.size();
      for (const Diagnostic& diagnostic : compiled->diagnostics)
        if (diagnostic.severity == Severity::error && diagnostic.line >= first_probe_line &&
            diagnostic.line - first_probe_line < m_probes.size())
          refused.insert(diagnostic.line - first_probe_line);
      if (refused.size() == before) return bad_input("The probed source does not compile: " + compiled->log);
    }
    return bad_input(fmt::format("The probed source does not compile: {} probes refused.", refused.size()));
  }

  Result<void> read_output(const std::string& ptx) {
    Result<stepping::BlockStepper> stepper = open(ptx, {});
    if (!stepper) return stepper.error();
    constexpr size_t most_text = 2'000'000;  // before older lines are dropped
    stepping::Stop stop;
    uint64_t done = 0;
    while (stepper->end() == stepping::End::none && stepper->console().size() < most_text / 2 &&
           done < 40 * m_options.most_instructions) {
      stop = stepper->run({.kind = stepping::Goal::Kind::instructions, .count = 2000});
      done += 2000;
    }
    m_complete = stepper->end() != stepping::End::none;
    std::istringstream in(stepper->console());
    for (std::string line; std::getline(in, line);) {
      uint32_t probe = 0, thread = 0;
      unsigned long long bits = 0;
      if (std::sscanf(line.c_str(), "%x %x %llx", &probe, &thread, &bits) != 3) continue;
      m_printed[{probe, thread}].push_back(bits);
    }
    return {};
  }

  void step(stepping::BlockStepper& stepper) {
    for (uint64_t i = 0; i < m_options.most_instructions; ++i) {
      const std::optional<TraceEntry> next = stepper.next();
      if (!next) {
        m_stepped = true;
        return;
      }
      if (const auto begin = m_begins.find(next->instruction); begin != m_begins.end())
        look(stepper, *next, begin->second);
      stepper.run({.kind = stepping::Goal::Kind::instructions});
    }
  }

  void look(const stepping::BlockStepper& stepper, const TraceEntry& next, const LineBegin& begin) {
    const uint32_t level = level_of(stepper, next);
    if (level != 0) look_at_callers(stepper, next);
    look_at_stack(stepper, next);
    const std::vector<VariableView> views = stepper.variables(next.warp, next.active);
    std::map<uint32_t, const VariableView*> by_number;
    for (const VariableView& view : views) by_number[view.variable] = &view;
    for (uint32_t p = 0; p < m_probes.size(); ++p) {
      const Probe& probe = m_probes[p];
      const auto variable = begin.variables.find(probe.variable);
      if (probe.line != begin.line || variable == begin.variables.end()) continue;
      if (variable->second == common_number) {
        const auto view = stepper.find_variable(next.warp, probe.variable, next.active);
        const auto part = view ? part_of(stepper, next.warp, *view, probe) : std::nullopt;
        if (part) note(stepper, next, p, *part, level);
        continue;
      }
      const auto found = by_number.find(variable->second);
      if (found == by_number.end()) continue;
      if (const auto part = part_of(stepper, next.warp, *found->second, probe))
        note(stepper, next, p, *part, level);
    }
  }

  static std::optional<VariableView> part_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                             VariableView view, const Probe& probe) {
    for (const uint64_t part : probe.path) {
      const std::vector<VariableView> parts = stepper.parts(warp, view, part, 1);
      if (parts.size() != 1) return std::nullopt;
      view = parts.front();
    }
    return view;
  }

  static uint32_t level_of(const stepping::BlockStepper& stepper, const TraceEntry& next) {
    for (const stepping::PathView& path : stepper.warp(next.warp).paths)
      if (path.runs_next) return static_cast<uint32_t>(path.calls.size());
    return 0;
  }

  // While a callee runs, the caller has what it had before the line that calls, but for what that line
  // assigns.
  void look_at_callers(const stepping::BlockStepper& stepper, const TraceEntry& next) {
    for (const stepping::CallerView& caller : stepper.callers(next.warp, next.active))
      look_at_call(stepper, next, caller.call.line, caller.level, caller.lanes, caller.variables);
  }

  // As above for the frames of the call stack, which include those around inlined functions.
  void look_at_stack(const stepping::BlockStepper& stepper, const TraceEntry& next) {
    for (const stepping::StackView& stack : stepper.stacks(next.warp))
      for (size_t i = 1; i < stack.frames.size() && (stack.lanes & next.active) != 0; ++i) {
        const stepping::FrameView& frame = stack.frames[i];
        look_at_call(stepper, next, frame.at.line, frame.level, stack.lanes,
                     stepper.variables(next.warp, frame));
        ++m_result.frames;
      }
  }

  void look_at_call(const stepping::BlockStepper& stepper, const TraceEntry& next, uint32_t line,
                    uint32_t level, uint32_t lanes, const std::vector<VariableView>& variables) {
    for (uint32_t p = 0; p < m_probes.size(); ++p) {
      const Probe& probe = m_probes[p];
      if (probe.line != line || !begins_statement(m_lines, probe.line)) continue;
      if (m_lines[probe.line - 1].find(probe.variable + " =") != std::string::npos) continue;
      const VariableView* root = nullptr;  // the innermost one of the name
      for (const VariableView& view : variables)
        if (view.name == probe.variable) root = &view;
      const auto part = root == nullptr ? std::nullopt : part_of(stepper, next.warp, *root, probe);
      if (!part) continue;
      for (uint32_t rest = lanes & next.active; rest != 0; rest &= rest - 1)
        compare_caller(next, p, *part, level, static_cast<uint32_t>(std::countr_zero(rest)));
    }
  }

  void compare_caller(const TraceEntry& next, uint32_t probe, const VariableView& view, uint32_t level,
                      uint32_t lane) {
    const auto before = m_at_level.find({level, probe, next.warp * warp_lanes + lane});
    if (before == m_at_level.end() || before->second.state != State::value) return;
    // The callee may have changed values in memory.
    if (view.where[lane] != VariableView::Where::bits && !m_options.callers_keep) return;
    ++m_result.of_callers;
    const bool has = (view.has >> lane & 1) != 0;
    if (has && (view.bits[lane].low & before->second.mask) == before->second.bits) return;
    if (m_result.wrong_of_callers++ < 5)
      m_result.first_wrong += fmt::format("line {} {} of the caller at level {}, lane {}: {}, was 0x{:x}\n",
                                          m_probes[probe].line, m_probes[probe].expression, level, lane,
                                          has ? fmt::format("shown 0x{:x}", view.bits[lane].low) : "no value",
                                          before->second.bits);
  }

  void note(const stepping::BlockStepper& stepper, const TraceEntry& next, uint32_t probe,
            const VariableView& view, uint32_t level) {
    const uint64_t bytes =
        std::min<uint64_t>(debug::type_bytes(stepper.variable_table().info(), view.type_index), 8);
    const uint64_t mask = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1;
    for (uint32_t rest = next.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      Shown shown{.state = State::unreadable, .bits = view.bits[lane].low & mask, .mask = mask};
      if ((view.has >> lane & 1) != 0) shown.state = State::value;
      if ((view.not_set >> lane & 1) != 0) shown.state = State::not_set;
      if ((view.no_place >> lane & 1) != 0) shown.state = State::no_place;
      m_shown[{probe, next.warp * warp_lanes + lane}].push_back(shown);
      m_at_level[{level, probe, next.warp * warp_lanes + lane}] = shown;
    }
  }

  void compare() {
    std::set<uint32_t> lines;
    for (const auto& [key, shown] : m_shown) {
      const auto& [p, thread] = key;
      if (m_refused.contains(p)) continue;
      const auto printed = m_printed.find(key);
      const size_t count = printed == m_printed.end() ? 0 : printed->second.size();
      if (m_complete && m_stepped && count != shown.size()) {
        ++m_result.uneven;
        continue;
      }
      lines.insert(m_probes[p].line);
      for (size_t i = 0; i < std::min(count, shown.size()); ++i)
        compare_value(p, thread, i, shown[i], printed->second[i]);
    }
    m_result.lines = static_cast<uint32_t>(lines.size());
  }

  void compare_value(uint32_t p, uint32_t thread, size_t time, const Shown& shown, uint64_t printed) {
    const Probe& probe = m_probes[p];
    const auto missing = [&](uint64_t& count, const char* why) {
      ++count;
      m_result.missing.insert(fmt::format("line {} {}: {}", probe.line, probe.expression, why));
    };
    if (shown.state == State::not_set) return missing(m_result.not_set, "not yet set");
    if (shown.state == State::no_place) return missing(m_result.no_place, "no place");
    if (shown.state == State::unreadable) return missing(m_result.unreadable, "unreadable");
    // Local and module variables may have other addresses in the other program.
    const bool elsewhere = shown.mask == ~uint64_t{0} &&
                           ((printed >= program::local_window && printed < program::parameter_window) ||
                            (printed >= program::constant_window && printed < program::heap_base));
    if (elsewhere) return;
    ++m_result.compared;
    if (probe.common) ++m_result.common;
    if ((printed & shown.mask) == shown.bits) return;
    if (m_result.wrong++ == 0 || m_result.wrong < 6)
      m_result.first_wrong +=
          fmt::format("line {} {} of thread {}, time {}: shown 0x{:x}, printed 0x{:x}\n", probe.line,
                      probe.expression, thread, time, shown.bits, printed & shown.mask);
  }

  const LaunchRequest& m_request;
  const std::string m_source;
  const std::vector<std::string> m_lines;
  const std::string m_name;
  const ProbeOptions m_options;
  std::map<uint32_t, LineBegin> m_begins;  // by instruction
  std::vector<Probe> m_probes;
  std::set<uint32_t> m_refused;
  std::map<std::pair<uint32_t, uint32_t>, Sequence> m_printed;  // by probe and thread
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Shown>> m_shown;
  // What was shown last, by level of the call, probe and thread.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Shown> m_at_level;
  bool m_complete = false, m_stepped = false;
  ProbeResult m_result;
};

}  // namespace

Result<ProbeResult> probe(const LaunchRequest& request, const std::string& source, const std::string& name,
                          const ProbeOptions& options) {
  return Prober(request, source, name, options).run();
}

}  // namespace warplens::test
