// Checks that the virtual GPU runs an instruction, and that its operands fit (PTX ISA 9.4).
#pragma once

#include <span>

#include "core/ptx/lexer/reporter.h"
#include "core/ptx/tree.h"

namespace warplens::ptx {

struct InstructionCheck {
  const Module& module;
  Function& function;  // owns the operand pool, whose floats are converted to the instruction's type
  std::span<Operand> operands;
  std::span<const TextPosition> places;
  std::span<const Modifier> modifiers;
  TextPosition place;  // of the mnemonic
  Opcode opcode{};
};

// Finds the form, checks every operand against it and converts float immediates to the operand's type.
// Returns false if it reported errors.
bool validate_instruction(const InstructionCheck& check, Reporter& reporter, uint16_t& form);

// "add.sat.s32"
std::string full_name(Opcode opcode, std::span<const Modifier> modifiers);

}  // namespace warplens::ptx
