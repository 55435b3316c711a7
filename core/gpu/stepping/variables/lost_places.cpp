// Assignments that the compiler left out: where the debug information says that a place is still valid, it
// still has the old value.
#include <algorithm>

#include "core/gpu/stepping/variables/variable_builder.h"

namespace warplens::stepping {

// If a value is never read, a compiler does not store it, and older compilers do not say so: the place of the
// old value would still be valid. So a source line that assigns to the variable without giving it a place
// ends its current place.
void VariableBuilder::forget_assigned() {
  if (m_assignments.empty()) return;
  std::vector<std::vector<uint32_t>> gives(m_made.m_variables.size());  // instructions, by variable
  const auto note = [&](const VariableTable::Changes& changes, bool behind) {
    for (const auto& [instruction, change] : changes.pending)
      if (change.to != no_place_yet && change.to != place_lost)
        gives[change.variable].push_back(behind ? instruction + 1 : instruction);
  };
  note(m_made.m_arriving, false);
  note(m_made.m_falling, false);
  note(m_made.m_writing, true);
  for (uint32_t v = 0; v < m_made.m_variables.size(); ++v) {
    const NamedVariable& named = m_made.m_variables[v];
    const auto assigned = m_assignments.find(named.from->name);
    if (assigned == m_assignments.end() || !is_in_register(named) || !is_of_source(named)) continue;
    // An assignment to a reference changes another variable.
    if (debug::plain_type(m_made.m_info, named.from->type).kind == debug::Type::Kind::reference) continue;
    for (const uint32_t line : assigned->second)
      if (line > named.from->line && is_line_of(line, v)) forget_at(line, v, gives[v]);
  }
}

bool VariableBuilder::is_in_register(const NamedVariable& named) {
  return std::ranges::any_of(named.places, [](const VariablePlace& place) {
    return place.kind == VariablePlace::Kind::reg || place.kind == VariablePlace::Kind::constant;
  });
}

bool VariableBuilder::is_of_source(const NamedVariable& named) const {
  const ptx::SourceFile* file = m_table.program().module->find_file(named.from->file);
  if (file == nullptr || m_source_name.empty()) return false;
  const std::string_view name = file->name;
  return name == m_source_name || name.ends_with("/" + std::string(m_source_name));
}

// The first and last line of a scope's code.
std::pair<uint32_t, uint32_t> VariableBuilder::lines_of(uint32_t scope) {
  const auto [place, is_new] = m_lines.try_emplace(scope, UINT32_MAX, 0u);
  if (!is_new) return place->second;
  for (const auto& [begin, end] : m_made.m_scopes[scope].code) {
    for (uint32_t i = begin; i < end; ++i) {
      const uint32_t line = m_table.instruction(i).line;
      if (line == 0) continue;
      place->second.first = std::min(place->second.first, line);
      place->second.second = std::max(place->second.second, line);
    }
  }
  return place->second;
}

// Whether the name means this variable on the line: the line is in its scope, and in no inner scope with a
// variable of this name.
bool VariableBuilder::is_line_of(uint32_t line, uint32_t variable) {
  const NamedVariable& named = m_made.m_variables[variable];
  const auto [first, last] = lines_of(named.scope);
  if (line < first || line > last) return false;
  const auto [begin, end] = variables_beside(variable);
  for (uint32_t other = begin; other < end; ++other) {
    const NamedVariable& inner = m_made.m_variables[other];
    if (other == variable || inner.from->name != named.from->name || !is_within(inner.scope, named.scope))
      continue;
    const auto [inner_first, inner_last] = lines_of(inner.scope);
    if (line >= std::min(inner.from->line, inner_first) && line <= inner_last) return false;
  }
  return true;
}

bool VariableBuilder::is_within(uint32_t scope, uint32_t outer) const {
  while (scope != outer && scope != UINT32_MAX) scope = m_made.m_scopes[scope].parent;
  return scope == outer;
}

std::pair<uint32_t, uint32_t> VariableBuilder::variables_beside(uint32_t variable) const {
  return m_made.m_of_function[m_made.m_scopes[m_made.m_variables[variable].scope].function];
}

void VariableBuilder::forget_at(uint32_t line, uint32_t variable, const std::vector<uint32_t>& gives) {
  const CodeScope& scope = m_made.m_scopes[m_made.m_variables[variable].scope];
  const auto line_at = [&](uint32_t i) { return m_table.instruction(i).line; };
  // A label that gives a place follows an instruction of the line, or of an earlier line if this one has
  // none.
  for (const uint32_t i : gives) {
    if (i == 0 || i > m_table.instructions()) continue;
    const uint32_t before = line_at(i - 1);
    const bool between = i < m_table.instructions() && before <= line && line <= line_at(i);
    if (before == line || between) return;
  }
  std::vector<uint32_t> ends;
  std::optional<uint32_t> skipped;  // where the code skips the line
  for (const auto& [begin, end] : scope.code) {
    for (uint32_t i = begin; i < end; ++i) {
      if (line_at(i) == line) ends.push_back(i);
      if (i > begin && !skipped && line_at(i - 1) < line && line_at(i) > line) skipped = i;
    }
  }
  if (ends.empty() && !skipped) return;
  NamedVariable& named = m_made.m_variables[variable];
  if (named.always) make_kept(scope, variable);
  named.always = false;
  const PlaceChange lost{variable, PlaceChange::any, place_lost};
  for (const uint32_t i : ends) m_made.m_leaving.pending.emplace_back(i, lost);
  if (ends.empty()) m_made.m_arriving.pending.emplace_back(*skipped, lost);
}

// From now on, the place of each lane is tracked: it is valid from the start of the scope.
void VariableBuilder::make_kept(const CodeScope& scope, uint32_t variable) {
  for (const auto& [begin, end] : scope.code)
    if (begin < end) m_made.m_arriving.pending.push_back({begin, {variable, PlaceChange::any, 1}});
}

}  // namespace warplens::stepping
