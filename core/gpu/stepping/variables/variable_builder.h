// Makes a table of variables out of debug information. Private to core/gpu/stepping.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/gpu/stepping/variables/variable_table.h"

namespace warplens::stepping {

class VariableBuilder {
 public:
  VariableBuilder(const ProgramTable& table, VariableTable& made, std::string_view source,
                  std::string_view source_name);
  void run();

 private:
  struct CodeLabel {
    uint32_t instruction = 0;    // of the program
    bool before_target = false;  // a label that something branches to comes between it and the instruction
  };
  using Labels = std::unordered_map<std::string_view, CodeLabel>;

  // --- scopes and places
  static Labels labels_of(const program::FunctionCode& code);
  void find_writers(uint32_t f);
  std::optional<CodeLabel> find_label(const std::string& name) const;
  void add_scope(uint32_t f, uint32_t parent, const debug::Scope& from);
  void add_first_values(uint32_t f, const CodeScope& scope);
  void add_places(uint32_t f, const CodeScope& scope, uint32_t variable);
  void add_register(const CodeScope& scope, uint32_t variable, const VariablePlace& place);
  const std::vector<uint32_t>& writers_of(uint32_t f, uint32_t reg) const;
  void forget_at_begin(const CodeScope& scope, uint32_t variable);
  void add_ranges(uint32_t f, const CodeScope& scope, uint32_t variable);
  void add_change(uint32_t f, const CodeLabel& label, const PlaceChange& change);
  VariablePlace place_of(uint32_t f, const debug::Place& place) const;
  VariablePlace memory_place(uint32_t f, const debug::Place& place) const;
  static VariablePlace in_space(const program::Layout::Place& place, int64_t offset,
                                const program::FunctionCode& code);
  void finish(VariableTable::Changes& changes) const;
  void finish_beginnings() const;
  void add_common();
  bool is_constant(std::string_view symbol) const;

  // --- assignments that the compiler left out (lost_places.cpp)
  void forget_assigned();
  static bool is_in_register(const NamedVariable& named);
  bool is_of_source(const NamedVariable& named) const;
  std::pair<uint32_t, uint32_t> lines_of(uint32_t scope);
  bool is_line_of(uint32_t line, uint32_t variable);
  bool is_within(uint32_t scope, uint32_t outer) const;
  std::pair<uint32_t, uint32_t> variables_beside(uint32_t variable) const;
  void forget_at(uint32_t line, uint32_t variable, const std::vector<uint32_t>& gives);
  void make_kept(const CodeScope& scope, uint32_t variable);

  const ProgramTable& m_table;
  VariableTable& m_made;
  std::string_view m_source_name;
  std::map<std::string, std::set<uint32_t>, std::less<>> m_assignments;  // lines, by name
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> m_lines;             // of scopes
  Labels m_labels;
  std::vector<std::vector<uint32_t>> m_writers;  // of each register of the function
};

}  // namespace warplens::stepping
