#include "core/gpu/step/variable_table.h"

#include <algorithm>

#include "core/debug/read_debug_info.h"
#include "core/gpu/step/variable_builder.h"

namespace warplens::stepping {

namespace {

constexpr size_t max_variables = 1u << 14;

// The places of all symbols; the program itself only keeps those that its instructions use.
std::vector<program::Layout> layouts_of(const program::Program& program) {
  program::Program copy;
  copy.module = program.module;
  copy.function = program.function;
  copy.functions = program.functions;
  copy.function_places = program.function_places;
  return program::lay_out(*program.module, copy);
}

}  // namespace

bool CodeScope::has(uint32_t instruction) const {
  return std::ranges::any_of(code, [&](const std::pair<uint32_t, uint32_t>& range) {
    return instruction >= range.first && instruction < range.second;
  });
}

VariableTable::VariableTable(const ProgramTable& table, std::string_view source,
                             std::string_view source_name) {
  Result<debug::DebugInfo> info = debug::read_debug_info(*table.program().module);
  if (!info) {
    m_reason = info.error().message;
  } else if (!info->distrust.empty()) {
    m_reason = info->distrust;
  } else if (info->functions.empty()) {
    m_reason =
        "The PTX does not say where its variables are: it was compiled without device debug information "
        "(-G).";
  }
  if (!m_reason.empty()) return;
  m_info = std::move(info).value();
  m_layouts = layouts_of(table.program());
  VariableBuilder(table, *this, source, source_name).run();
  if (m_variables.empty()) {
    m_reason = "The PTX says which lines it comes from, but nothing of its variables.";
    return;
  }
  if (m_variables.size() <= max_variables) return;
  *this = VariableTable();
  m_reason = "The program has too many variables to keep track of.";
}

std::span<const PlaceChange> VariableTable::of(const Changes& changes, uint32_t instruction) {
  if (changes.first.empty()) return {};
  return std::span(changes.all)
      .subspan(changes.first[instruction], changes.first[instruction + 1] - changes.first[instruction]);
}

std::span<const uint32_t> VariableTable::beginning(uint32_t instruction) const {
  if (m_first_beginning.empty()) return {};
  return std::span(m_beginning_variables)
      .subspan(m_first_beginning[instruction],
               m_first_beginning[instruction + 1] - m_first_beginning[instruction]);
}

std::vector<uint32_t> VariableTable::scopes_at(uint32_t instruction, uint32_t function) const {
  std::vector<uint32_t> found;
  if (function >= m_scopes_of.size()) return found;
  for (uint32_t s = m_scopes_of[function].first; s < m_scopes_of[function].second; ++s) {
    const CodeScope& scope = m_scopes[s];
    const bool is_function = scope.parent == UINT32_MAX;
    if (is_function || scope.has(instruction)) found.push_back(s);
  }
  return found;
}

}  // namespace warplens::stepping
