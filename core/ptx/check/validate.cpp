#include "core/ptx/check/validate.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ptx/check/forms.h"
#include "core/ptx/check/operand_check.h"

namespace warplens::ptx {

namespace {

// If the modifiers fit but the number of operands does not, reports which numbers fit.
bool wrong_count(const InstructionCheck& check, Reporter& reporter) {
  const FormRange range = forms_of(check.opcode);
  std::string wanted;
  for (uint16_t form = range.first; form < range.last; ++form) {
    const FormPattern& pattern = pattern_of(form);
    if (!modifiers_match(pattern, check.modifiers)) continue;
    wanted += wanted.empty() ? fmt::format("{} operands", pattern.operand_count)
                             : fmt::format(", or {}", pattern.operand_count);
    for (uint32_t i = 0; i < pattern.operand_count; ++i) {
      wanted += fmt::format("{}{}", i == 0 ? " (" : ", ", pattern.operands[i].letter);
    }
    if (pattern.operand_count != 0) wanted += ')';
  }
  if (wanted.empty()) return false;
  reporter.error(check.place,
                 fmt::format("{} takes {}; {} are given.", full_name(check.opcode, check.modifiers), wanted,
                             check.operands.size()));
  return true;
}

void no_such_form(const InstructionCheck& check, Reporter& reporter) {
  reporter.error(
      check.place,
      fmt::format("{} is not a form of {} that the virtual GPU runs; the nearest is {} (PTX ISA {}).",
                  full_name(check.opcode, check.modifiers), text_of(check.opcode),
                  nearest_form(check.opcode, check.modifiers), section_of(check.opcode)));
}

}  // namespace

std::string full_name(Opcode opcode, std::span<const Modifier> modifiers) {
  std::string name(text_of(opcode));
  for (const Modifier modifier : modifiers) name.append(".").append(text_of(modifier));
  return name;
}

bool validate_instruction(const InstructionCheck& check, Reporter& reporter, uint16_t& form) {
  const auto operands = static_cast<uint32_t>(check.operands.size());
  const auto match = match_form(check.opcode, check.modifiers, operands);
  if (!match) {
    if (!wrong_count(check, reporter)) no_such_form(check, reporter);
    return false;
  }
  form = *match;
  const FormPattern& pattern = pattern_of(form);
  OperandChecker checker(check, reporter);
  for (uint32_t i = 0; i < operands; ++i) {
    if (!checker.check(i, pattern.operands[i])) return false;
  }
  return checker.check_together();
}

}  // namespace warplens::ptx
