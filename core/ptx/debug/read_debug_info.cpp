#include "core/ptx/debug/read_debug_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ptx/debug/entries.h"
#include "core/ptx/debug/locations.h"
#include "core/ptx/debug/types.h"

namespace warplens::debug {

namespace {

// Limits for all lists of a text. They bound the work for texts that were not made by a compiler.
constexpr size_t max_ranges = 1u << 20, max_absent = 1u << 20;

class InfoReader {
 public:
  InfoReader(const Sections& sections, const Entries& entries) : m_sections(sections), m_entries(entries) {}

  DebugInfo run() {
    m_info.types.emplace_back();
    m_types = read_types(m_entries, m_sections, m_info.types);
    for (uint32_t e = 0; e < m_entries.all.size(); e = m_entries.all[e].end) {
      if (m_entries.all[e].tag == tag_compile_unit) unit(e);
    }
    distrust_numba();
    return std::move(m_info);
  }

 private:
  template <class F>
  void children(uint32_t entry, F visit) {
    for (uint32_t c = entry + 1; c < m_entries.all[entry].end; c = m_entries.all[c].end) visit(c);
  }

  const Section* section(std::string_view name) const {
    const auto found = m_sections.find(name);
    return found == m_sections.end() ? nullptr : &found->second;
  }

  // The label of an address attribute.
  std::string label(uint32_t entry, AttributeName name) const {
    const Attribute* found = m_entries.find(entry, name);
    return found == nullptr || found->symbol == nullptr ? std::string() : std::string(found->symbol->name);
  }

  void unit(uint32_t entry) {
    m_info.units.push_back(
        {std::string(m_entries.text(entry, at_producer)), std::string(m_entries.text(entry, at_name))});
    for (uint32_t e = entry + 1; e < m_entries.all[entry].end; ++e) {
      const Entry& at = m_entries.all[e];
      if (at.tag == tag_subprogram) function(e);
      if (at.tag == tag_variable && !is_in_function(e)) {
        Variable made = variable(e);
        if (made.place.kind == Place::Kind::memory) m_info.variables.push_back(std::move(made));
      }
    }
  }

  bool is_in_function(uint32_t entry) const {
    for (uint32_t up = m_entries.all[entry].parent; up != no_entry; up = m_entries.all[up].parent) {
      const uint16_t tag = m_entries.all[up].tag;
      if (tag == tag_subprogram || tag == tag_inlined_subroutine) return true;
    }
    return false;
  }

  // A function without code is only a declaration, or is inlined everywhere.
  void function(uint32_t entry) {
    const std::string begin = label(entry, at_low_pc), end = label(entry, at_high_pc);
    if (begin.empty() || end.empty()) return;
    Function function;
    function.linkage_name = m_entries.text(entry, at_mips_linkage_name);
    if (function.linkage_name.empty()) function.linkage_name = m_entries.text(entry, at_linkage_name);
    function.name = m_entries.text(entry, at_name);
    if (function.linkage_name.empty()) function.linkage_name = function.name;
    function.line = number_of(entry, at_decl_line);
    function.unit = static_cast<uint32_t>(m_info.units.size()) - 1;
    function.scope.code.push_back({begin, end});
    fill(entry, function.scope);
    m_info.functions.push_back(std::move(function));
  }

  uint32_t number_of(uint32_t entry, AttributeName name) const {
    const Attribute* found = m_entries.find_inherited(entry, name);
    return found == nullptr ? 0 : static_cast<uint32_t>(std::min<uint64_t>(found->number, UINT32_MAX));
  }

  // The variables and scopes of an entry. Its depth is that of the tree, which is bounded.
  void fill(uint32_t entry, Scope& scope) {
    std::set<uint32_t> instances;  // entries of the abstract function that are here
    children(entry, [&](uint32_t c) {
      instances.insert(m_entries.reference(c, at_abstract_origin));
      const uint16_t tag = m_entries.all[c].tag;
      if (tag == tag_formal_parameter || tag == tag_variable) {
        scope.variables.push_back(variable(c));
      } else if (tag == tag_lexical_block || tag == tag_inlined_subroutine) {
        inner(c, scope);
      }
    });
    if (m_entries.all[entry].tag != tag_inlined_subroutine) return;
    // Variables of the abstract function that this instance leaves out have no place.
    const uint32_t origin = m_entries.reference(entry, at_abstract_origin);
    if (origin == no_entry) return;
    children(origin, [&](uint32_t c) {
      const uint16_t tag = m_entries.all[c].tag;
      if (++m_absent > max_absent) return;
      if ((tag == tag_formal_parameter || tag == tag_variable) && !instances.contains(c))
        scope.variables.push_back(variable(c));
    });
  }

  void inner(uint32_t entry, Scope& around) {
    Scope scope;
    const std::string begin = label(entry, at_low_pc), end = label(entry, at_high_pc);
    if (!begin.empty() && !end.empty()) scope.code.push_back({begin, end});
    const Section* ranges = section(".debug_ranges");
    if (const Attribute* list = m_entries.find(entry, at_ranges); list != nullptr && ranges != nullptr)
      scope.code = read_label_ranges(*ranges, list->number);
    if (m_entries.all[entry].tag == tag_inlined_subroutine) {
      scope.inlined = m_entries.text(entry, at_name);
      if (scope.inlined.empty()) scope.inlined = "an inlined function";
      scope.call_line = static_cast<uint32_t>(m_entries.number(entry, at_call_line));
    }
    if (scope.code.empty()) return;  // no code is left of it
    fill(entry, scope);
    around.scopes.push_back(std::move(scope));
  }

  Variable variable(uint32_t entry) {
    Variable made;
    made.name = m_entries.text(entry, at_name);
    made.type = type_of(m_entries, m_types, entry);
    made.file = number_of(entry, at_decl_file);
    made.line = number_of(entry, at_decl_line);
    made.parameter = m_entries.all[entry].tag == tag_formal_parameter;
    set_place(entry, made);
    return made;
  }

  void set_place(uint32_t entry, Variable& made) {
    using Kind = Attribute::Kind;
    const Section& info = *section(".debug_info");
    if (const Attribute* place = m_entries.find(entry, at_location); place != nullptr) {
      if (place->kind == Kind::block) {
        made.place = read_expression(info, place->number, place->length);
      } else if (const Section* lists = section(".debug_loc"); lists != nullptr && m_ranges < max_ranges) {
        made.ranges = read_location_list(*lists, place->number);
        m_ranges += made.ranges.size();
      }
      return;
    }
    const Attribute* value = m_entries.find_inherited(entry, at_const_value);
    if (value == nullptr) return;
    if (value->kind == Kind::number) {
      made.place = {.kind = Place::Kind::constant, .value = value->number};
    } else if (value->kind == Kind::block && value->length <= 8) {
      Cursor cursor(info, value->number, value->number + value->length);
      made.place = {.kind = Place::Kind::constant,
                    .value = cursor.number(static_cast<uint32_t>(value->length))};
    } else {
      made.place = {.kind = Place::Kind::unknown};
    }
  }

  // For a parameter that is a number, Numba describes the zero that it writes before it stores the number.
  static void distrust_parameters(Scope& scope) {
    for (Variable& variable : scope.variables) {
      if (!variable.parameter || variable.ranges.empty()) continue;
      variable.ranges.clear();
      variable.place = {.kind = Place::Kind::unknown};
    }
  }

  // Numba's built-in target wraps the function in a kernel whose name begins with "cudapy", and passes it
  // values of another shape than its debug information says. numba-cuda does not.
  void distrust_numba() {
    for (Function& function : m_info.functions) {
      const std::string& producer = m_info.units[function.unit].producer;
      if (producer.find("Numba") == std::string::npos) continue;
      distrust_parameters(function.scope);
      if (!function.linkage_name.starts_with("_ZN6cudapy")) continue;
      m_info.distrust =
          "Numba's built-in CUDA target writes wrong places for variables (several of them in one register), "
          "so none is shown. Install numba-cuda, whose places are right.";
    }
  }

  const Sections& m_sections;
  const Entries& m_entries;
  TypeIndices m_types;
  DebugInfo m_info;
  size_t m_ranges = 0;
  size_t m_absent = 0;  // entries searched for variables that an inlined function leaves out
};

}  // namespace

Result<DebugInfo> read_debug_info(const ptx::Module& module) {
  const Result<Sections> sections = read_sections(module);
  if (!sections) return sections.error();
  const Result<Entries> entries = read_entries(*sections, module.name);
  if (!entries) return entries.error();
  return InfoReader(*sections, *entries).run();
}

}  // namespace warplens::debug
