#include "core/gpu/stepping/breakpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <span>

#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/variable_path.h"

namespace warplens::stepping {

namespace {

bool is_watchpoint(Breakpoint::Kind kind) {
  return kind == Breakpoint::Kind::read || kind == Breakpoint::Kind::write ||
         kind == Breakpoint::Kind::access || kind == Breakpoint::Kind::variable;
}

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

// A breakpoint on a line stops only where the line begins, that is, where the instruction before it belongs
// to another line.
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
    if (asked.kind == Breakpoint::Kind::ptx_line) {
      here = info.ptx_line == asked.line;
    } else if (asked.kind == Breakpoint::Kind::source_line) {
      here = begins && info.line == asked.line && is_file(table.files()[info.file], asked.file);
    } else {
      const program::FunctionCode& code = table.program().functions[info.function];
      here = i == code.first_instruction && code.function->name == asked.function;
    }
    ready.at[i] = here;
    found = found || here;
  }
  if (found) return {};
  if (asked.kind != Breakpoint::Kind::function) return bad_input(missing_line(asked));
  std::string functions;
  for (const program::FunctionCode& code : table.program().functions)
    functions += fmt::format("{}{}", functions.empty() ? "" : ", ", code.function->name);
  return bad_input(fmt::format("The program has no function \"{}\" to stop in; there {} {}.", asked.function,
                               table.program().functions.size() == 1 ? "is" : "are", functions));
}

std::string Breakpoints::missing_line(const Breakpoint& asked) const {
  const bool ptx = asked.kind == Breakpoint::Kind::ptx_line;
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

std::string Breakpoints::known_variables(const std::vector<bool>& functions) const {
  const VariableTable& table = m_engine.variable_table();
  std::set<std::string> names;
  for (uint32_t f = 0; f < functions.size() && !table.empty(); ++f) {
    const auto [begin, end] = table.of_function(f);
    for (uint32_t v = begin; functions[f] && v < end; ++v) names.insert(table.variables()[v].from->name);
  }
  for (const CommonVariable& variable : table.common()) names.insert(variable.from->name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The variables of the source come first.
std::string Breakpoints::known_names(const std::vector<bool>& functions) const {
  const std::string variables = known_variables(functions);
  return variables + (variables.empty() ? "" : ", ") + m_names.known();
}

// Each name must be known in one of the functions in which the breakpoint can stop.
Result<void> Breakpoints::check_names(const Ready& ready) const {
  const ProgramTable& table = m_engine.table();
  std::vector<bool> functions(table.program().functions.size(), ready.at.empty());
  for (uint32_t i = 0; i < ready.at.size(); ++i) {
    if (ready.at[i]) functions[table.instruction(i).function] = true;
  }
  for (const auto& [name, column] : ready.condition->names()) {
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
        ready.condition->text().substr(0, 80), name, column, known_names(functions)));
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
  if (breakpoint.kind == Breakpoint::Kind::variable)
    if (const Result<void> found = find_variable_to_watch(ready); !found) return found.error();
  if (is_watchpoint(breakpoint.kind)) {
    const Space space = ready.asked.space;
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

Result<void> Breakpoints::find_variable_to_watch(Ready& ready) const {
  const Result<VariablePath> path = parse_path(ready.asked.variable);
  if (!path) return path.error();
  if (m_engine.variables() == nullptr) return bad_input(m_engine.variable_table().reason());
  const auto functions = static_cast<uint32_t>(m_engine.table().program().functions.size());
  bool known = false;
  for (uint32_t f = 0; f < functions; ++f) known = known || is_variable(f, path->name);
  if (!known)
    return bad_input(fmt::format("There is no variable \"{}\" to watch. There are {}.", path->name,
                                 known_variables(std::vector<bool>(functions, true))));
  if (const std::optional<FixedPlace> place = fixed_place(m_engine, *path)) {
    ready.asked.kind = Breakpoint::Kind::write;
    ready.asked.space = place->space;
    ready.asked.address = place->address;
    ready.asked.bytes = place->bytes;
  } else {
    ready.watch.emplace(m_engine, *path);
  }
  return {};
}

// "p.x" is a part of the variable p.
std::optional<VariableView> Breakpoints::named_variable(uint32_t warp, std::string_view name, uint32_t lanes,
                                                        const FrameView* frame) const {
  if (m_engine.variables() == nullptr || m_names.is_given(name)) return std::nullopt;
  const Result<VariablePath> path = parse_path(name);
  return path ? find_path(m_engine, warp, *path, lanes, frame) : std::nullopt;
}

bool Breakpoints::is_variable(uint32_t function, std::string_view name) const {
  const VariableTable& table = m_engine.variable_table();
  if (table.empty() || m_names.is_given(name)) return false;
  const Result<VariablePath> path = parse_path(name);
  if (!path) return false;
  const auto is_it = [&](const auto& variable) { return variable.from->name == path->name; };
  const auto [begin, end] = table.of_function(function);
  const auto own = std::span(table.variables()).subspan(begin, end - begin);
  return std::ranges::any_of(own, is_it) || std::ranges::any_of(table.common(), is_it);
}

std::vector<expression::Value> Breakpoints::lane_values(std::span<const expression::Tree::Name> names,
                                                        uint32_t number, uint32_t function, uint32_t lanes,
                                                        const FrameView* frame, std::string* unknown) const {
  std::vector<LaneSource> sources(names.size());
  std::vector<std::optional<VariableView>> variables(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i].text;
    variables[i] = named_variable(number, name, lanes, frame);
    const std::optional<LaneSource> source = m_names.find(function, name);
    if (!variables[i] && !source) {
      if (unknown != nullptr) *unknown = name;
      return {};
    }
    if (source) sources[i] = *source;
  }
  const exec::Warp& warp = m_engine.block().warps()[number];
  const std::span<const uint32_t> set = m_engine.set(number);
  std::vector<expression::Value> values(names.size() * warp_lanes);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    for (size_t i = 0; i < names.size(); ++i)
      values[i * warp_lanes + lane] = variables[i] ? value_number(m_engine, *variables[i], lane)
                                                   : m_names.value(sources[i], warp, lane, set);
  }
  return values;
}

uint32_t Breakpoints::holding_lanes(const Ready& ready, uint32_t number, uint32_t instruction,
                                    uint32_t lanes) const {
  if (!ready.condition) return lanes;
  const uint32_t function = m_engine.table().instruction(instruction).function;
  const std::vector<expression::Value> values =
      lane_values(ready.condition->names(), number, function, lanes, nullptr, nullptr);
  return ready.condition->holding_lanes(values) & lanes;
}

Result<std::vector<expression::Value>> Breakpoints::evaluate(std::string_view text, uint32_t warp,
                                                             uint32_t lanes, const FrameView* frame) const {
  const Result<Condition> parsed = Condition::parse(text, "expression");
  if (!parsed) return parsed.error();
  const exec::Path* path = m_engine.steps().next_path(warp);
  const uint32_t instruction = frame != nullptr  ? frame->at.instruction
                               : path != nullptr ? path->next->instruction
                                                 : 0;
  const uint32_t function = m_engine.table().instruction(instruction).function;
  std::string unknown;
  const std::vector<expression::Value> values =
      lane_values(parsed->names(), warp, function, lanes, frame, &unknown);
  if (!unknown.empty() && is_variable(function, unknown))
    return bad_input(fmt::format("\"{}\" has no value here: it is not in scope at this line.", unknown));
  if (!unknown.empty()) {
    std::vector<bool> here(m_engine.table().program().functions.size());
    here[function] = true;
    return bad_input(
        fmt::format("\"{}\" means nothing here. There are {}, and registers of the PTX such as %r7.", unknown,
                    known_names(here)));
  }
  std::vector<expression::Value> found = parsed->values(values);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    if ((lanes >> lane & 1) == 0) found[lane] = {};
  return found;
}

std::optional<Hit> Breakpoints::hit_before(uint32_t number, const Ready& ready,
                                           const TraceEntry& next) const {
  if (ready.at.empty() || !ready.at[next.instruction]) return std::nullopt;
  if (ready.asked.warp && *ready.asked.warp != next.warp) return std::nullopt;
  const uint32_t lanes = holding_lanes(ready, next.warp, next.instruction, next.active);
  return lanes != 0 ? std::optional(Hit{number, lanes}) : std::nullopt;
}

std::optional<Hit> Breakpoints::before(const TraceEntry& next) const {
  for (const auto& [number, ready] : m_all)
    if (const std::optional<Hit> hit = hit_before(number, ready, next)) return hit;
  return std::nullopt;
}

std::vector<Hit> Breakpoints::all_before(const TraceEntry& next) const {
  std::vector<Hit> hits;
  for (const auto& [number, ready] : m_all)
    if (const std::optional<Hit> hit = hit_before(number, ready, next)) hits.push_back(*hit);
  return hits;
}

uint32_t Breakpoints::touching_lanes(const Ready& ready) const {
  const Breakpoint& asked = ready.asked;
  uint32_t lanes = 0;
  for (const SteppedAccess& access : m_engine.accesses()) {
    if (access.space != asked.space) continue;
    if (asked.kind == Breakpoint::Kind::read && access.kind == AccessKind::store) continue;
    if (asked.kind == Breakpoint::Kind::write && access.kind == AccessKind::load) continue;
    for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const uint64_t at = access.address[lane];
      const bool apart = at + access.bytes <= asked.address || at >= asked.address + asked.bytes;
      if (!apart) lanes |= 1u << lane;
    }
  }
  return lanes;
}

void Breakpoints::keep(const TraceEntry& next) {
  for (auto& [number, ready] : m_all)
    if (ready.watch && (!ready.asked.warp || *ready.asked.warp == next.warp)) ready.watch->keep(next);
}

std::optional<Hit> Breakpoints::behind(const TraceEntry& last) const {
  for (const auto& [number, ready] : m_all) {
    if (!ready.at.empty()) continue;
    if (ready.asked.warp && *ready.asked.warp != last.warp) continue;
    uint32_t lanes = ready.watch ? ready.watch->changed(last) : touching_lanes(ready);
    if (lanes != 0) lanes = holding_lanes(ready, last.warp, last.instruction, lanes);
    if (lanes != 0) return Hit{number, lanes};
  }
  return std::nullopt;
}

}  // namespace warplens::stepping
