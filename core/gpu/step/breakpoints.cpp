#include "core/gpu/step/breakpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace warplens::stepping {

namespace {

using Kind = Breakpoint::Kind;

bool is_watchpoint(Kind kind) { return kind == Kind::read || kind == Kind::write || kind == Kind::access; }

// "kernel.cu" is the end of "/home/me/kernel.cu", "el.cu" is not.
bool is_file(std::string_view file, std::string_view asked) {
  if (asked.empty() || file == asked) return true;
  return file.ends_with(asked) && file[file.size() - asked.size() - 1] == '/';
}

}  // namespace

Breakpoints::Breakpoints(const Engine& engine, Names names)
    : m_engine(engine),
      m_names(engine.table(), engine.request().module->source, engine.launch().parameters, engine.step().grid,
              engine.step().block, engine.position(), std::move(names)) {}

std::vector<uint32_t> Breakpoints::numbers() const {
  std::vector<uint32_t> numbers;
  for (const auto& [number, ready] : m_all) numbers.push_back(number);
  return numbers;
}

// A breakpoint on a line stops only where the line begins, that is, where the instruction before it is of
// another line.
Result<void> Breakpoints::find_places(Ready& ready) const {
  const Breakpoint& asked = ready.asked;
  const ProgramTable& table = m_engine.table();
  ready.at.assign(table.instructions(), false);
  bool found = false;
  const program::ControlFlow& flow = table.program().flow;
  for (uint32_t i = 0; i < table.instructions(); ++i) {
    const InstructionInfo& info = table.instruction(i);
    const bool begins = i == 0 || flow.block_of[i] != flow.block_of[i - 1] ||
                        table.instruction(i - 1).line != info.line ||
                        table.instruction(i - 1).file != info.file;
    bool here = false;
    if (asked.kind == Kind::ptx_line) {
      here = info.ptx_line == asked.line;
    } else if (asked.kind == Kind::source_line) {
      here = begins && info.line == asked.line && is_file(table.files()[info.file], asked.file);
    } else {
      const program::FunctionCode& code = table.program().functions[info.function];
      here = i == code.first_instruction && code.function->name == asked.function;
    }
    ready.at[i] = here;
    found = found || here;
  }
  if (found) return {};
  if (asked.kind != Kind::function) return bad_input(missing_line(asked));
  std::string functions;
  for (const program::FunctionCode& code : table.program().functions)
    functions += fmt::format("{}{}", functions.empty() ? "" : ", ", code.function->name);
  return bad_input(fmt::format("The program has no function \"{}\" to stop in; there {} {}.", asked.function,
                               table.program().functions.size() == 1 ? "is" : "are", functions));
}

std::string Breakpoints::missing_line(const Breakpoint& asked) const {
  const bool ptx = asked.kind == Kind::ptx_line;
  const ProgramTable& table = m_engine.table();
  uint32_t nearest = 0;
  for (uint32_t i = 0; i < table.instructions(); ++i) {
    const InstructionInfo& info = table.instruction(i);
    if (!ptx && !is_file(table.files()[info.file], asked.file)) continue;
    const uint32_t line = ptx ? info.ptx_line : info.line;
    const auto distance = [&](uint32_t l) { return l > asked.line ? l - asked.line : asked.line - l; };
    if (line != 0 && (nearest == 0 || distance(line) < distance(nearest))) nearest = line;
  }
  std::string files;
  for (uint32_t i = 0; i < table.instructions(); ++i) {
    const std::string_view file = table.files()[table.instruction(i).file];
    if (table.instruction(i).line == 0 || files.find(file) != std::string::npos) continue;
    files += fmt::format("{}{}", files.empty() ? "" : ", ", file);
  }
  if (nearest == 0 && !asked.file.empty() && !files.empty())
    return fmt::format("No instruction comes from a file \"{}\"; there are {}.", asked.file, files);
  if (nearest == 0)
    return fmt::format(
        "No instruction belongs to line {}: the PTX does not say which lines it comes from. Name a line of "
        "the PTX.",
        asked.line);
  return fmt::format("No instruction belongs to line {}{}; the nearest with one is line {}.", asked.line,
                     ptx ? " of the PTX" : "", nearest);
}

// The variables of the source first.
std::string Breakpoints::known_names(const std::vector<bool>& functions) const {
  const VariableTable& table = m_engine.variable_table();
  std::set<std::string> names;
  for (uint32_t f = 0; f < functions.size() && !table.empty(); ++f) {
    const auto [begin, end] = table.of_function(f);
    for (uint32_t v = begin; functions[f] && v < end; ++v) names.insert(table.variables()[v].from->name);
  }
  std::string text;
  for (const std::string& name : names) text += name + ", ";
  return text + m_names.known();
}

// Each name must be known in one of the functions in which the breakpoint can stop.
Result<void> Breakpoints::check_names(const Ready& ready) const {
  const ProgramTable& table = m_engine.table();
  std::vector<bool> functions(table.program().functions.size(), ready.at.empty());
  for (uint32_t i = 0; i < ready.at.size(); ++i) {
    if (ready.at[i]) functions[table.instruction(i).function] = true;
  }
  for (size_t n = 0; n < ready.condition->names().size(); ++n) {
    const std::string& name = ready.condition->names()[n];
    bool known = false;
    for (uint32_t f = 0; f < functions.size(); ++f)
      known = known || (functions[f] && (is_variable(f, name) || m_names.find(f, name).has_value()));
    if (known) continue;
    if (const std::string_view meaning = m_names.meaning_of(name); meaning != name) {
      return bad_input(fmt::format(
          "The condition \"{}\" names \"{}\", which stands for \"{}\", and there is no such register or "
          "parameter here.",
          ready.condition->text().substr(0, 80), name, meaning));
    }
    return bad_input(fmt::format(
        "The condition \"{}\" names \"{}\" at column {}, which means nothing here. There are {}, and "
        "registers of the PTX such as %r7.",
        ready.condition->text().substr(0, 80), name, ready.condition->column_of(n), known_names(functions)));
  }
  return {};
}

Result<uint32_t> Breakpoints::add(const Breakpoint& breakpoint) {
  Ready ready;
  ready.asked = breakpoint;
  if (breakpoint.warp && *breakpoint.warp >= m_engine.block().warps().size()) {
    return bad_input(fmt::format("The block has {} warps, from 0 on; there is no warp {}.",
                                 m_engine.block().warps().size(), *breakpoint.warp));
  }
  if (is_watchpoint(breakpoint.kind)) {
    const Space space = breakpoint.space;
    if (space != Space::global && space != Space::shared && space != Space::local)
      return bad_input("Only global, shared and local memory can be watched.");
    if (breakpoint.bytes == 0) return bad_input("A watched range needs at least one byte.");
  } else if (const Result<void> found = find_places(ready); !found) {
    return found.error();
  }
  if (!breakpoint.condition.empty()) {
    Result<Condition> condition = Condition::parse(breakpoint.condition);
    if (!condition) return condition.error();
    ready.condition.emplace(std::move(condition).value());
    if (const Result<void> known = check_names(ready); !known) return known.error();
  }
  m_all.emplace(m_next, std::move(ready));
  return m_next++;
}

// "p.x" is a part of the variable p.
std::optional<VariableView> Breakpoints::named_variable(uint32_t warp, std::string_view name,
                                                        uint32_t lanes) const {
  if (m_engine.variables() == nullptr || m_names.is_given(name)) return std::nullopt;
  size_t dot = name.find('.');
  std::optional<VariableView> view = find_variable(m_engine, warp, name.substr(0, dot), lanes);
  while (view && dot != name.npos) {
    const size_t next = name.find('.', dot + 1);
    const std::string_view member = name.substr(dot + 1, next == name.npos ? next : next - dot - 1);
    std::optional<VariableView> found;
    for (VariableView& part : view_parts(m_engine, warp, *view))
      if (part.name == member) found = std::move(part);
    view = std::move(found);
    dot = next;
  }
  return view;
}

bool Breakpoints::is_variable(uint32_t function, std::string_view name) const {
  const VariableTable& table = m_engine.variable_table();
  if (table.empty() || m_names.is_given(name)) return false;
  const auto [begin, end] = table.of_function(function);
  for (uint32_t v = begin; v < end; ++v)
    if (table.variables()[v].from->name == name.substr(0, name.find('.'))) return true;
  return false;
}

uint32_t Breakpoints::holding_lanes(const Ready& ready, uint32_t number, uint32_t instruction,
                                    uint32_t lanes) const {
  if (!ready.condition) return lanes;
  const uint32_t function = m_engine.table().instruction(instruction).function;
  const size_t count = ready.condition->names().size();
  std::vector<LaneSource> sources(count);
  std::vector<std::optional<VariableView>> variables(count);
  for (size_t i = 0; i < count; ++i) {
    const std::string& name = ready.condition->names()[i];
    variables[i] = named_variable(number, name, lanes);
    const std::optional<LaneSource> source = m_names.find(function, name);
    if (!variables[i] && !source) return 0;
    if (source) sources[i] = *source;
  }
  const exec::Warp& warp = m_engine.block().warps()[number];
  const std::span<const uint32_t> set = m_engine.set(number);
  std::vector<std::optional<double>> values(count);
  uint32_t holding = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    for (size_t i = 0; i < count; ++i)
      values[i] = variables[i] ? value_number(m_engine, *variables[i], lane)
                               : m_names.value(sources[i], warp, lane, set);
    holding |= static_cast<uint32_t>(ready.condition->holds(values)) << lane;
  }
  return holding;
}

std::optional<Hit> Breakpoints::before(const TraceEntry& next) const {
  for (const auto& [number, ready] : m_all) {
    if (ready.at.empty() || !ready.at[next.instruction]) continue;
    if (ready.asked.warp && *ready.asked.warp != next.warp) continue;
    const uint32_t lanes = holding_lanes(ready, next.warp, next.instruction, next.active);
    if (lanes != 0) return Hit{number, lanes};
  }
  return std::nullopt;
}

uint32_t Breakpoints::touching_lanes(const Ready& ready, const TraceEntry& last) const {
  const Breakpoint& asked = ready.asked;
  uint32_t lanes = 0;
  for (const SteppedAccess& access : m_engine.accesses()) {
    if (access.space != asked.space) continue;
    if (asked.kind == Kind::read && access.kind == AccessKind::store) continue;
    if (asked.kind == Kind::write && access.kind == AccessKind::load) continue;
    for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const uint64_t at = access.address[lane];
      const bool apart = at + access.bytes <= asked.address || at >= asked.address + asked.bytes;
      if (!apart) lanes |= 1u << lane;
    }
  }
  return lanes == 0 ? 0 : holding_lanes(ready, last.warp, last.instruction, lanes);
}

std::optional<Hit> Breakpoints::behind(const TraceEntry& last) const {
  if (m_engine.accesses().empty()) return std::nullopt;
  for (const auto& [number, ready] : m_all) {
    if (!ready.at.empty()) continue;
    if (ready.asked.warp && *ready.asked.warp != last.warp) continue;
    if (const uint32_t lanes = touching_lanes(ready, last); lanes != 0) return Hit{number, lanes};
  }
  return std::nullopt;
}

}  // namespace warplens::stepping
