#include "core/gpu/stepping/variables/variable_table.h"

#include <algorithm>

#include "core/gpu/stepping/variables/shared_arrays.h"
#include "core/gpu/stepping/variables/variable_builder.h"
#include "core/ptx/debug/read_debug_info.h"

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

void VariableTable::add_declared(const std::vector<SharedArray>& arrays) {
  using Kind = debug::Type::Kind;
  if (empty()) return;
  for (const SharedArray& array : arrays) {
    const auto is_there = [&](const CommonVariable& other) {
      return other.place.kind == VariablePlace::Kind::shared && other.place.address == array.address;
    };
    if (array.element.empty() || std::ranges::any_of(m_common, is_there)) continue;
    const auto known = std::ranges::find_if(m_info.types, [&](const debug::Type& type) {
      return type.name == array.element && type.bytes == array.element_bytes;
    });
    auto type = static_cast<uint32_t>(known - m_info.types.begin());
    if (known == m_info.types.end()) {
      const Kind kind = array.is_float            ? Kind::floating
                        : array.element == "bool" ? Kind::boolean
                        : array.is_signed         ? Kind::integer
                                                  : Kind::unsigned_integer;
      debug::Type made;
      made.kind = kind;
      made.name = array.element;
      made.bytes = array.element_bytes;
      m_info.types.push_back(std::move(made));
    }
    if (!array.is_scalar) {
      debug::Type made;
      made.kind = Kind::array;
      made.element = type;
      made.extents = array.extents;
      type = static_cast<uint32_t>(m_info.types.size());
      m_info.types.push_back(std::move(made));
    }
    debug::Variable& variable = m_declared.emplace_back();
    variable.name = array.name;
    variable.type = type;
    m_common.push_back(
        {&variable, {.kind = VariablePlace::Kind::shared, .address = array.address}, "__shared__"});
  }
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
