// Guard, mnemonic, modifiers and operands of an instruction, PTX ISA 9.1 to 9.3.
#include <fmt/format.h>

#include "core/ptx/check/unsupported.h"
#include "core/ptx/check/validate.h"
#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

bool Parser::guarded_instruction() {
  const Token at = m_token;
  advance();
  if (accept('@')) {  // @@DWARF
    while (m_token.kind != TokenKind::end && m_token.line == at.line) advance();
    return true;
  }
  std::optional<Operand> predicate;
  if (!guard(predicate)) return false;
  Token mnemonic;
  return expect_name("an instruction after its guard", mnemonic) && instruction(mnemonic, predicate);
}

bool Parser::guard(std::optional<Operand>& predicate) {
  const bool negated = accept('!');
  const Token name = m_token;
  Operand result;
  if (name.kind != TokenKind::identifier) return fail_here("a predicate register after '@'");
  if (!named_operand(result)) return false;
  if (result.kind != OperandKind::reg || m_function.registers[result.index].type != Modifier::pred) {
    return fail(name,
                fmt::format("'{}' is no predicate; a guard needs a register of type .pred, made by setp.",
                            name.text));
  }
  result.negated = negated;
  predicate = result;
  return true;
}

bool Parser::instruction(const Token& mnemonic, std::optional<Operand> predicate) {
  const auto opcode = find_opcode(mnemonic.text);
  if (!opcode) return unknown_mnemonic(mnemonic);
  Instruction entry;
  entry.opcode = *opcode;
  entry.line = mnemonic.line;
  entry.location = m_location;
  entry.first_modifier = static_cast<uint32_t>(m_function.modifiers.size());
  if (predicate) {
    entry.guarded = true;
    entry.guard_negated = predicate->negated;
    entry.guard = predicate->index;
  }
  if (!modifiers(mnemonic, *opcode) || !operands(*opcode)) return false;
  if (!expect(';', "after the instruction")) return false;
  const auto all = std::span(m_function.modifiers).subspan(entry.first_modifier);
  entry.modifiers = static_cast<uint8_t>(all.size());
  entry.operands = static_cast<uint8_t>(m_operand_count);
  const InstructionCheck check{m_module,
                               m_function,
                               std::span(m_operands).first(m_operand_count),
                               std::span(m_operand_places).first(m_operand_count),
                               all,
                               place_of(mnemonic),
                               *opcode};
  // Copies and matrix instructions have forms that the virtual GPU does not run, although it knows each of
  // their modifiers.
  const bool may_be_refused = ptx::unit_of(*opcode) == Unit::tensor || *opcode == Opcode::cp;
  if (may_be_refused && !match_form(*opcode, all, m_operand_count)) {
    const std::string_view full = full_text(mnemonic);
    if (const auto reason = unsupported_instruction(full)) {
      m_report.error(place_of(mnemonic),
                     fmt::format("{} is not supported by the virtual GPU: {}", full.substr(0, 80), *reason));
      return true;
    }
  }
  // If it is invalid, the error is reported and the ';' is already consumed, so nothing must be skipped.
  if (validate_instruction(check, m_report, entry.form)) store_instruction(entry);
  return true;
}

bool Parser::unknown_mnemonic(const Token& mnemonic) {
  const std::string full(full_text(mnemonic).substr(0, 80));
  while (m_token.kind == TokenKind::dot_word) advance();
  if (const auto reason = unsupported_instruction(full)) {
    return fail(mnemonic, fmt::format("{} is not supported by the virtual GPU: {}", full, *reason));
  }
  const std::string near = nearest_instruction(mnemonic.text);
  const std::string hint = near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
  return fail(mnemonic, fmt::format("No PTX instruction is called '{}'{}", mnemonic.text.substr(0, 40),
                                    hint.empty() ? "." : hint));
}

// The instruction with everything that follows it after dots, as in the text.
std::string_view Parser::full_text(const Token& mnemonic) const {
  const std::string_view text = *m_module.text;
  const auto begin = static_cast<size_t>(mnemonic.text.data() - text.data());
  return text.substr(begin, text.find_first_of(" \t\r\n;", begin) - begin);
}

bool Parser::modifiers(const Token& mnemonic, Opcode opcode) {
  constexpr uint32_t k_max_modifiers = 16;
  for (uint32_t count = 0; m_token.kind == TokenKind::dot_word; ++count) {
    const auto modifier = find_modifier(m_token.text.substr(1));
    if (!modifier && unsupported_instruction(full_text(mnemonic))) return unknown_mnemonic(mnemonic);
    if (!modifier) {
      return fail(m_token, fmt::format("The virtual GPU knows no modifier '{}' of {} (PTX ISA {}).",
                                       m_token.text, text_of(opcode), section_of(opcode)));
    }
    if (count == k_max_modifiers) return fail(m_token, "This instruction has too many modifiers.");
    m_function.modifiers.push_back(*modifier);
    advance();
  }
  return true;
}

bool Parser::operands(Opcode opcode) {
  m_operand_count = 0;
  m_has_parts = unit_of(opcode) == Unit::video;
  if (opcode == Opcode::call) return call_operands();
  if (m_token.is(';')) return true;
  do {
    const bool wants_label = opcode == Opcode::bra || (opcode == Opcode::brx && m_operand_count == 1);
    Operand result;
    const TextPosition place = place_of(m_token);
    if (!operand(result, wants_label) || !add_operand(result, place)) return false;
  } while (accept(','));
  return true;
}

void Parser::store_instruction(Instruction entry) {
  entry.first_operand = static_cast<uint32_t>(m_function.operands.size());
  for (uint32_t i = 0; i < m_operand_count; ++i) {
    const auto index = static_cast<uint32_t>(m_function.operands.size());
    if (m_operands[i].kind == OperandKind::label) {
      const LabelRole role = entry.opcode == Opcode::brx    ? LabelRole::branch_table
                             : entry.opcode == Opcode::call ? LabelRole::call_table
                                                            : LabelRole::code;
      m_scopes.back().label_uses().push_back({m_label_names[i], m_operand_places[i], false, index, 0, role});
    }
    m_function.operands.push_back(m_operands[i]);
  }
  m_function.instructions.push_back(entry);
}

}  // namespace warplens::ptx
