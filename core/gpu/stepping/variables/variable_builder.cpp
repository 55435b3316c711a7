#include "core/gpu/stepping/variables/variable_builder.h"

#include <algorithm>

#include "core/compile/cuda_source/assignments.h"

namespace warplens::stepping {

namespace {

using debug::Place;
using Kind = VariablePlace::Kind;

std::vector<bool> branch_targets(const ptx::Function& function) {
  std::vector<bool> targets(function.labels.size());
  for (const ptx::Operand& operand : function.operands)
    if (operand.kind == ptx::OperandKind::label) targets[operand.index] = true;
  for (const ptx::Label& label : function.labels)
    for (const uint32_t target : label.branch_targets) targets[target] = true;
  return targets;
}

}  // namespace

VariableBuilder::VariableBuilder(const ProgramTable& table, VariableTable& made, std::string_view source,
                                 std::string_view source_name)
    : m_table(table), m_made(made), m_source_name(source_name), m_assignments(assignments_in(source)) {}

VariableBuilder::Labels VariableBuilder::labels_of(const program::FunctionCode& code) {
  const ptx::Function& function = *code.function;
  const std::vector<bool> targets = branch_targets(function);
  std::unordered_map<uint32_t, uint32_t> last_target;  // by instruction, the line of the last target
  for (size_t i = 0; i < targets.size(); ++i) {
    const ptx::Label& label = function.labels[i];
    uint32_t& line = last_target[label.instruction];
    if (targets[i]) line = std::max(line, label.line);
  }
  Labels labels;
  for (const ptx::Label& label : function.labels)
    labels[label.name] = {code.first_instruction + label.instruction,
                          label.line < last_target[label.instruction]};
  return labels;
}

void VariableBuilder::run() {
  const auto& functions = m_table.program().functions;
  for (uint32_t f = 0; f < functions.size(); ++f) {
    const debug::Function* known = m_made.m_info.find(functions[f].function->name);
    const auto variables = static_cast<uint32_t>(m_made.m_variables.size());
    const auto scopes = static_cast<uint32_t>(m_made.m_scopes.size());
    m_made.m_function_names.push_back(known == nullptr ? std::string_view() : known->name);
    if (known != nullptr) {
      m_labels = labels_of(functions[f]);
      find_writers(f);
      add_scope(f, UINT32_MAX, known->scope);
    }
    m_made.m_of_function.emplace_back(variables, static_cast<uint32_t>(m_made.m_variables.size()));
    m_made.m_scopes_of.emplace_back(scopes, static_cast<uint32_t>(m_made.m_scopes.size()));
  }
  add_common();
  forget_assigned();
  for (VariableTable::Changes* changes :
       {&m_made.m_arriving, &m_made.m_falling, &m_made.m_writing, &m_made.m_leaving})
    finish(*changes);
  finish_beginnings();
  m_made.m_acts.assign(m_table.instructions(), 0);
  for (uint32_t i = 0; i < m_table.instructions(); ++i) {
    const bool before =
        !m_made.arriving(i).empty() || !m_made.falling(i).empty() || !m_made.beginning(i).empty();
    const bool behind = !m_made.writing(i).empty() || !m_made.leaving(i).empty();
    m_made.m_acts[i] = static_cast<uint8_t>((before ? 1 : 0) | (behind ? 2 : 0));
  }
}

// Variables of the module that are in the PTX, then shared arrays that functions declare.
void VariableBuilder::add_common() {
  const program::Program& program = m_table.program();
  const auto entry = std::ranges::find(program.functions, program.function, &program::FunctionCode::function);
  if (entry == program.functions.end()) return;
  const auto f = static_cast<uint32_t>(entry - program.functions.begin());
  const auto add = [&](const debug::Variable& variable, const VariablePlace& place) {
    const bool constant = place.kind == Kind::global && is_constant(variable.place.name);
    const char* space = place.kind == Kind::shared ? "__shared__" : constant ? "__constant__" : "__device__";
    const auto same = [&](const CommonVariable& other) {
      return other.place.kind == place.kind && other.place.address == place.address;
    };
    if (place.kind != Kind::shared && place.kind != Kind::global) return;
    if (std::ranges::none_of(m_made.m_common, same)) m_made.m_common.push_back({&variable, place, space});
  };
  for (const debug::Variable& variable : m_made.m_info.variables)
    add(variable, memory_place(f, variable.place));
  for (const NamedVariable& named : m_made.m_variables)
    if (named.places.size() > 1 && named.places[1].kind == Kind::shared) add(*named.from, named.places[1]);
}

bool VariableBuilder::is_constant(std::string_view symbol) const {
  const auto& all = m_table.program().module->variables;
  const auto found = std::ranges::find(all, symbol, &ptx::Variable::name);
  return found != all.end() && found->space == ptx::StateSpace::constant;
}

void VariableBuilder::find_writers(uint32_t f) {
  m_writers.assign(m_table.end_register(f) - m_table.first_register(f), {});
  const program::FunctionCode& code = m_table.program().functions[f];
  for (uint32_t i = 0; i < code.function->instructions.size(); ++i) {
    const uint32_t number = code.first_instruction + i;
    for (const uint32_t r : m_table.instruction(number).writes) m_writers[r].push_back(number);
  }
}

std::optional<VariableBuilder::CodeLabel> VariableBuilder::find_label(const std::string& name) const {
  const auto found = m_labels.find(name);
  return found == m_labels.end() ? std::nullopt : std::optional(found->second);
}

// Inner scopes come after the scope that contains them, so the scopes of an instruction are in order.
void VariableBuilder::add_scope(uint32_t f, uint32_t parent, const debug::Scope& from) {
  CodeScope scope{.function = f, .parent = parent, .code = {}, .from = &from};
  for (const debug::LabelRange& range : from.code) {
    const std::optional<CodeLabel> begin = find_label(range.begin), end = find_label(range.end);
    if (begin && end) scope.code.emplace_back(begin->instruction, end->instruction);
  }
  const auto index = static_cast<uint32_t>(m_made.m_scopes.size());
  scope.first_variable = static_cast<uint32_t>(m_made.m_variables.size());
  scope.variables = static_cast<uint32_t>(from.variables.size());
  m_made.m_scopes.push_back(scope);
  for (const debug::Variable& variable : from.variables) {
    NamedVariable named{.from = &variable, .scope = index, .places = {{}}};
    named.bytes = debug::type_bytes(m_made.m_info, variable.type);
    m_made.m_variables.push_back(std::move(named));
  }
  if (parent == UINT32_MAX) add_first_values(f, scope);
  // At the label where a scope begins, the remains of its last run are cleared first, and ranges begin after
  // that.
  for (uint32_t i = 0; i < scope.variables; ++i) add_places(f, scope, scope.first_variable + i);
  for (const debug::Scope& inner : from.scopes) add_scope(f, index, inner);
}

// The parameters of a CUDA C++ kernel are those of the source, in order. Those of a Numba kernel are not: it
// splits arrays into several parameters.
void VariableBuilder::add_first_values(uint32_t f, const CodeScope& scope) {
  const ptx::Function& function = *m_table.program().functions[f].function;
  const std::vector<program::Layout::Place>& places = m_made.m_layouts[f].parameters;
  std::vector<NamedVariable*> parameters;
  for (uint32_t i = 0; i < scope.variables; ++i) {
    NamedVariable& named = m_made.m_variables[scope.first_variable + i];
    if (named.from->parameter) parameters.push_back(&named);
  }
  const auto same = [](const NamedVariable* named, const ptx::Variable& parameter) {
    return named->bytes == parameter.bytes;
  };
  if (!function.is_entry || places.size() != parameters.size() ||
      !std::ranges::equal(parameters, function.parameters, same))
    return;
  for (size_t i = 0; i < parameters.size(); ++i)
    parameters[i]->first_value = {.kind = Kind::parameter, .address = places[i].address};
}

void VariableBuilder::add_places(uint32_t f, const CodeScope& scope, uint32_t variable) {
  NamedVariable& named = m_made.m_variables[variable];
  if (named.from->ranges.empty()) {
    const VariablePlace place = place_of(f, named.from->place);
    if (place.kind == Kind::none) return;
    named.places.push_back(place);
    if (place.kind == Kind::reg) {
      add_register(scope, variable, place);
    } else {
      named.always = true;
      const bool is_body = !named.from->parameter && place.kind == Kind::local;
      for (const auto& [begin, end] : scope.code)
        if (is_body && begin < end) m_made.m_beginning.emplace_back(begin, variable);
    }
  } else {
    add_ranges(f, scope, variable);
  }
}

// There is one place for the whole scope, although the register is written in it: the place is valid from
// that write on. If the register is only written outside, as for parameters of inlined functions, the place
// is valid wherever it is set.
void VariableBuilder::add_register(const CodeScope& scope, uint32_t variable, const VariablePlace& place) {
  NamedVariable& named = m_made.m_variables[variable];
  const std::vector<uint32_t>& writers = writers_of(scope.function, place.reg);
  const bool inside = !named.from->parameter &&
                      std::ranges::any_of(writers, [&](uint32_t writer) { return scope.has(writer); });
  if (!inside) {
    named.always = true;
    return;
  }
  forget_at_begin(scope, variable);
  for (const uint32_t writer : writers)
    m_made.m_writing.pending.push_back({writer, {variable, PlaceChange::any, 1}});
}

const std::vector<uint32_t>& VariableBuilder::writers_of(uint32_t f, uint32_t reg) const {
  return m_writers[reg - m_table.first_register(f)];
}

void VariableBuilder::forget_at_begin(const CodeScope& scope, uint32_t variable) {
  for (const auto& [begin, end] : scope.code)
    if (begin < end) m_made.m_arriving.pending.push_back({begin, {variable, PlaceChange::any, 0}});
}

void VariableBuilder::add_ranges(uint32_t f, const CodeScope& scope, uint32_t variable) {
  const debug::Variable& from = *m_made.m_variables[variable].from;
  const auto begins_outside = [&](const debug::PlaceRange& range) {
    const std::optional<CodeLabel> begin = find_label(range.begin);
    return begin && !scope.has(begin->instruction);
  };
  if (!from.parameter && std::ranges::none_of(from.ranges, begins_outside)) forget_at_begin(scope, variable);
  for (const debug::PlaceRange& range : from.ranges) {
    const std::optional<CodeLabel> begin = find_label(range.begin), end = find_label(range.end);
    NamedVariable& named = m_made.m_variables[variable];
    if (!begin || !end || named.places.size() >= place_lost) continue;
    const auto number = static_cast<PlaceNumber>(named.places.size());
    named.places.push_back(place_of(f, range.place));
    // The end of a range counts only for lanes that arrive from within the range.
    add_change(f, *end, {variable, number, place_lost});
    add_change(f, *begin, {variable, PlaceChange::any, number});
    const VariablePlace& place = named.places.back();
    if (place.kind != Kind::reg && place.kind != Kind::pointed) continue;
    // A write to the register gives it another value. If that value is the variable's, a label follows.
    for (const uint32_t writer : writers_of(f, place.reg))
      m_made.m_writing.pending.push_back({writer, {variable, number, place_lost}});
  }
}

// A label at the end of a function is never reached: the next instruction belongs to another function.
void VariableBuilder::add_change(uint32_t f, const CodeLabel& label, const PlaceChange& change) {
  const program::FunctionCode& code = m_table.program().functions[f];
  if (label.instruction >= code.first_instruction + code.function->instructions.size()) return;
  (label.before_target ? m_made.m_falling : m_made.m_arriving)
      .pending.emplace_back(label.instruction, change);
}

VariablePlace VariableBuilder::place_of(uint32_t f, const Place& place) const {
  switch (place.kind) {
    case Place::Kind::none:
      return {};
    case Place::Kind::constant:
      return {.kind = Kind::constant, .value = place.value};
    case Place::Kind::reg:
    case Place::Kind::pointed: {
      const uint32_t reg = m_table.find_register(f, place.name);
      if (reg == UINT32_MAX) return {.kind = Kind::unreadable};
      return {.kind = place.kind == Place::Kind::reg ? Kind::reg : Kind::pointed,
              .reg = reg,
              .address = static_cast<uint64_t>(place.offset)};
    }
    case Place::Kind::memory:
      return memory_place(f, place);
    case Place::Kind::unknown:
      break;
  }
  return {.kind = Kind::unreadable};
}

VariablePlace VariableBuilder::memory_place(uint32_t f, const Place& place) const {
  const program::FunctionCode& code = m_table.program().functions[f];
  const program::Layout& layout = m_made.m_layouts[f];
  const auto at = [&](const std::vector<ptx::Variable>& variables,
                      const std::vector<program::Layout::Place>& places) -> std::optional<VariablePlace> {
    const auto found = std::ranges::find(variables, place.name, &ptx::Variable::name);
    const auto index = static_cast<size_t>(found - variables.begin());
    if (found == variables.end() || index >= places.size()) return std::nullopt;
    return in_space(places[index], place.offset, code);
  };
  if (const auto found = at(code.function->variables, layout.function_variables)) return *found;
  if (const auto found = at(m_table.program().module->variables, layout.module_variables)) return *found;
  if (code.function->is_entry)
    if (const auto found = at(code.function->parameters, layout.parameters)) return *found;
  return {.kind = Kind::unreadable};
}

VariablePlace VariableBuilder::in_space(const program::Layout::Place& place, int64_t offset,
                                        const program::FunctionCode& code) {
  using ptx::StateSpace;
  VariablePlace made{.address = place.address + static_cast<uint64_t>(offset)};
  switch (place.space) {
    case StateSpace::local:
      made.kind = Kind::local;
      if (code.on_stack) made.base_slot = code.base_slot;
      break;
    case StateSpace::shared:
      made.kind = Kind::shared;
      break;
    case StateSpace::global:
    case StateSpace::constant:
      made.kind = Kind::global;
      break;
    case StateSpace::param:
      made.kind = Kind::parameter;
      break;
    default:
      made.kind = Kind::unreadable;
      break;
  }
  return made;
}

void VariableBuilder::finish(VariableTable::Changes& changes) const {
  const auto by_instruction = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::ranges::stable_sort(changes.pending, by_instruction);
  changes.first.assign(m_table.instructions() + size_t{1}, 0);
  for (const auto& [instruction, change] : changes.pending) {
    if (instruction >= m_table.instructions()) break;
    ++changes.first[instruction + 1];
    changes.all.push_back(change);
  }
  for (size_t i = 1; i < changes.first.size(); ++i) changes.first[i] += changes.first[i - 1];
  changes.pending = {};
}

void VariableBuilder::finish_beginnings() const {
  auto& pending = m_made.m_beginning;
  std::ranges::stable_sort(pending, {}, &std::pair<uint32_t, uint32_t>::first);
  m_made.m_first_beginning.assign(m_table.instructions() + size_t{1}, 0);
  for (const auto& [instruction, variable] : pending) {
    ++m_made.m_first_beginning[instruction + 1];
    m_made.m_beginning_variables.push_back(variable);
  }
  for (size_t i = 1; i < m_made.m_first_beginning.size(); ++i)
    m_made.m_first_beginning[i] += m_made.m_first_beginning[i - 1];
  pending = {};
}

}  // namespace warplens::stepping
