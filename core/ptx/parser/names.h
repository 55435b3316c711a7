// The names of the module, or of one { } scope of a function (PTX ISA 5.4, 9.7.12.1).
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/lexer/reporter.h"
#include "core/ptx/tree.h"

namespace warplens::ptx {

enum class NameKind : uint8_t { reg, symbol };

struct Name {
  NameKind kind = NameKind::symbol;
  SymbolKind symbol = SymbolKind::module_variable;
  uint32_t index = 0;
};

// .reg .b32 %r<40> declares the names %r0 … %r39.
struct RegisterRange {
  std::string_view prefix;
  uint32_t count = 0;
  Modifier type = Modifier::b32;
  uint8_t vector = 1;
};

enum class LabelRole : uint8_t { code, branch_table, call_table };

// The use of a label by an operand or a .branchtargets list. The label may be defined later.
struct LabelUse {
  std::string_view name;
  TextPosition place;
  bool in_table = false;  // the use is labels[index].branch_targets[slot]; otherwise operands[index]
  uint32_t index = 0, slot = 0;
  LabelRole role = LabelRole::code;
};

// "%r17" → "%r", 17. Empty if the name does not end in a number, or the number has leading zeros.
struct NumberedName {
  std::string_view prefix;
  uint32_t number = 0;
};
std::optional<NumberedName> split_number(std::string_view name);

class Scope {
 public:
  // Returns false if the scope already has this name.
  bool add(std::string_view name, Name value);
  bool add_range(const RegisterRange& range);
  void add_from_range(std::string_view name, Name value) { m_names.emplace(name, value); }
  bool add_label(std::string_view name, uint32_t index) { return m_labels.emplace(name, index).second; }

  const Name* find(std::string_view name) const;
  const RegisterRange* find_range(std::string_view name) const;
  std::optional<uint32_t> find_label(std::string_view name) const;
  std::vector<LabelUse>& label_uses() { return m_label_uses; }

 private:
  std::unordered_map<std::string_view, Name> m_names;
  std::unordered_map<std::string_view, RegisterRange> m_ranges;        // by prefix
  std::unordered_map<std::string_view, uint32_t> m_smallest_numbered;  // of explicit names, by prefix
  std::unordered_map<std::string_view, uint32_t> m_labels;
  std::vector<LabelUse> m_label_uses;
  bool m_has_prefix_with_digit = false;  // as in .reg .b32 a1<4>, which declares a10 … a13
};

}  // namespace warplens::ptx
