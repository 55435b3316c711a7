#include "core/ptx/check/forms.h"

#include <fmt/format.h>

namespace warplens::ptx {

namespace {

using Groups = std::vector<ModifierGroup>;

void set_alternatives(ModifierGroup& group, std::string_view names) {
  while (!names.empty()) {
    const size_t comma = names.find(',');
    if (const auto modifier = find_modifier(names.substr(0, comma))) {
      group.alternatives.set(static_cast<size_t>(*modifier));
    }
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
  }
}

// "[.{rn,rz}][.ftz].f32": a group for each dot.
Groups parse_syntax(std::string_view syntax) {
  Groups groups;
  bool optional = false, linked = false;
  for (size_t i = 0; i < syntax.size();) {
    const char c = syntax[i];
    if (c == '[' || c == ']') {
      optional = c == '[';
      linked = false;
      ++i;
      continue;
    }
    size_t begin = i + 1, end = 0;  // after the dot
    if (begin < syntax.size() && syntax[begin] == '{') {
      end = syntax.find('}', begin);
      ++begin;
      i = end + 1;
    } else {
      end = std::min(syntax.find_first_of(".[]", begin), syntax.size());
      i = end;
    }
    ModifierGroup group;
    group.optional = optional;
    group.with_previous = optional && linked;
    linked = true;
    set_alternatives(group, syntax.substr(begin, end - begin));
    groups.push_back(group);
  }
  return groups;
}

void set_type(OperandSpec& spec, std::string_view type) {
  if (type == "2") {
    spec.source = OperandType::second;
  } else if (type == "w") {
    spec.source = OperandType::wide;
  } else if (type == "addr") {
    spec.source = OperandType::address;
  } else if (type == "bar") {
    spec.source = OperandType::barrier;
  } else if (type == "threads") {
    spec.source = OperandType::threads;
  } else if (const auto modifier = find_modifier(type)) {
    spec.source = OperandType::fixed;
    spec.type = *modifier;
  }
}

// "d:w", "V+", "a:2+".
OperandSpec parse_operand(std::string_view text) {
  OperandSpec spec;
  spec.letter = text[0];
  text.remove_prefix(1);
  if (text.ends_with('+')) {
    spec.wider = true;
    text.remove_suffix(1);
  }
  if (text.starts_with(':')) set_type(spec, text.substr(1));
  return spec;
}

struct Compiled {
  std::vector<FormPattern> patterns;
  std::vector<FormRange> ranges;  // by opcode
};

Compiled compile() {
  Compiled compiled;
  compiled.ranges.resize(opcodes().size());
  for (const Form& form : forms()) {
    FormPattern pattern;
    pattern.groups = parse_syntax(form.syntax);
    std::string_view rest = form.operands;
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      pattern.operands[pattern.operand_count++] = parse_operand(rest.substr(0, comma));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    const auto index = static_cast<uint16_t>(compiled.patterns.size());
    FormRange& range = compiled.ranges[static_cast<size_t>(form.opcode)];
    if (range.last == 0) range.first = index;
    range.last = static_cast<uint16_t>(index + 1);
    compiled.patterns.push_back(std::move(pattern));
  }
  return compiled;
}

const Compiled& compiled() {
  static const Compiled k_compiled = compile();
  return k_compiled;
}

struct Placement {
  uint32_t filled = 0;  // groups
  size_t placed = 0;    // modifiers
};

// Each modifier takes the first free group that contains it; types must take theirs from left to right.
Placement place(const Groups& groups, std::span<const Modifier> modifiers) {
  Placement result;
  size_t next_type_group = 0;
  for (const Modifier modifier : modifiers) {
    const bool is_type = kind_of(modifier) == ModifierKind::type;
    size_t i = is_type ? next_type_group : 0;
    while (i < groups.size() &&
           ((result.filled >> i & 1) != 0 || !groups[i].alternatives.test(static_cast<size_t>(modifier)))) {
      ++i;
    }
    if (i == groups.size()) continue;
    result.filled |= 1u << i;
    ++result.placed;
    if (is_type) next_type_group = i + 1;
  }
  return result;
}

bool all_groups_filled(const Groups& groups, uint32_t filled) {
  // In a variable: g++ 12.2 with -O1 inverts a comparison of a bit of `filled` with the bit before it.
  bool is_previous_filled = false;
  for (size_t i = 0; i < groups.size(); ++i) {
    const bool is_filled = (filled >> i & 1) != 0;
    if (!is_filled && !groups[i].optional) return false;
    if (groups[i].with_previous && is_filled != is_previous_filled) return false;
    is_previous_filled = is_filled;
  }
  return true;
}

}  // namespace

const FormPattern& pattern_of(uint16_t form) { return compiled().patterns[form]; }

FormRange forms_of(Opcode opcode) { return compiled().ranges[static_cast<size_t>(opcode)]; }

bool modifiers_match(const FormPattern& pattern, std::span<const Modifier> modifiers) {
  const Placement placement = place(pattern.groups, modifiers);
  return placement.placed == modifiers.size() && all_groups_filled(pattern.groups, placement.filled);
}

std::optional<uint16_t> match_form(Opcode opcode, std::span<const Modifier> modifiers, uint32_t operands) {
  const FormRange range = forms_of(opcode);
  for (uint16_t form = range.first; form < range.last; ++form) {
    const FormPattern& pattern = pattern_of(form);
    if (pattern.operand_count == operands && modifiers_match(pattern, modifiers)) return form;
  }
  return std::nullopt;
}

std::string nearest_form(Opcode opcode, std::span<const Modifier> modifiers) {
  const FormRange range = forms_of(opcode);
  uint16_t nearest = range.first;
  int best = -100;
  for (uint16_t form = range.first; form < range.last; ++form) {
    const Groups& groups = pattern_of(form).groups;
    const Placement placement = place(groups, modifiers);
    int score = 2 * static_cast<int>(placement.placed);
    for (size_t i = 0; i < groups.size(); ++i) {
      if (!groups[i].optional && (placement.filled >> i & 1) == 0) --score;
    }
    if (score <= best) continue;
    best = score;
    nearest = form;
  }
  return fmt::format("{}{}", text_of(opcode), forms()[nearest].syntax);
}

}  // namespace warplens::ptx
