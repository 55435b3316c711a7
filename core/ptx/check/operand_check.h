// Checks an operand against its form: the kind (the letter in opcodes.def) and the type (PTX ISA 9.4).
#pragma once

#include <string>
#include <string_view>

#include "core/ptx/check/forms.h"
#include "core/ptx/check/validate.h"

namespace warplens::ptx {

class OperandChecker {
 public:
  OperandChecker(const InstructionCheck& check, Reporter& reporter);

  bool check(uint32_t index, const OperandSpec& spec);
  // Checks that concern several operands: a mov that packs values, the signature of a call.
  bool check_together();

 private:
  struct Wanted {
    Modifier type = Modifier::b32;
    bool wider = false;
    bool address = false;  // an integer of 32 or 64 bits
  };

  bool destination(Operand& operand, const Wanted& wanted, bool may_be_sink);
  bool predicates(Operand& operand);
  bool with_predicate(Operand& operand, const Wanted& wanted);
  bool source(Operand& operand, const Wanted& wanted);
  bool part_fits(const Operand& operand);
  bool moved_source(Operand& operand, const Wanted& wanted);
  bool predicate_source(Operand& operand);
  bool constant(Operand& operand, const Wanted& wanted);
  bool memory_value(Operand& operand, const Wanted& wanted, bool is_destination);
  bool fragment(Operand& operand, bool is_destination);
  bool packed(Operand& operand, const Wanted& wanted, bool is_destination);
  bool address(const Operand& operand);
  bool texture(const Operand& operand);
  bool callee(const Operand& operand);
  bool call_values(const Operand& list, const std::vector<Variable>& wanted, std::string_view what);
  bool kind(const Operand& operand, OperandKind wanted, std::string_view what);

  bool register_fits(const Operand& operand, const Wanted& wanted);
  bool immediate_fits(Operand& operand, const Wanted& wanted);
  bool special_fits(const Operand& operand, const Wanted& wanted);
  bool symbol_fits(const Operand& operand, const Wanted& wanted);
  bool in_range(const Operand& operand, const OperandSpec& spec);

  Wanted wanted_of(const OperandSpec& spec) const;
  std::string text(const Operand& operand) const;
  bool fail(std::string_view is, std::string_view remedy);
  std::span<Operand> children(const Operand& operand);

  const InstructionCheck& m_check;
  Reporter& m_report;
  Modifier m_types[2] = {Modifier::b32, Modifier::b32};
  uint32_t m_vector = 0;  // 2, 4 or 8 if the instruction has .v2, .v4 or .v8
  uint32_t m_index = 0;   // of the operand being checked
};

}  // namespace warplens::ptx
