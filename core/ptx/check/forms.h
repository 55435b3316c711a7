// The forms of opcodes.def, parsed once: the modifiers that each form takes, and the operands that it needs.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ptx/opcode.h"

namespace warplens::ptx {

enum class OperandType : uint8_t {
  first,    // the first type modifier
  second,   // the second one
  wide,     // the first one with twice its width
  fixed,    // `type`
  address,  // an integer of 32 or 64 bits
  barrier,  // an integer of 32 bits, 0…15 if it is an immediate
  threads   // an integer of 32 bits, a multiple of 32 if it is an immediate
};

struct OperandSpec {
  char letter = 0;
  OperandType source = OperandType::first;
  Modifier type = Modifier::b32;
  bool wider = false;  // a wider register is allowed too (PTX ISA 9.4.1)
};

struct ModifierGroup {
  std::bitset<512> alternatives;
  bool optional = false;
  bool with_previous = false;  // must be present exactly if the previous group is, as in [.xorsign.abs]
};

struct FormPattern {
  std::vector<ModifierGroup> groups;
  std::array<OperandSpec, 8> operands{};
  uint32_t operand_count = 0;
};

const FormPattern& pattern_of(uint16_t form);
// The forms of an opcode: [first, last).
struct FormRange {
  uint16_t first = 0, last = 0;
};
FormRange forms_of(Opcode opcode);

// Whether the modifiers fit. The operands are not checked.
bool modifiers_match(const FormPattern& pattern, std::span<const Modifier> modifiers);

// The syntax of the form that takes most of the modifiers, for messages: "add[.sat].s32".
std::string nearest_form(Opcode opcode, std::span<const Modifier> modifiers);

}  // namespace warplens::ptx
