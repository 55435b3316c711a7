// The instructions that the virtual GPU runs. Each form is a row of opcodes.def, written as the PTX ISA
// manual writes its syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/ptx/modifier.h"

namespace warplens::ptx {

enum class Opcode : uint16_t {
#define PTX_OPCODE(name, text, section, unit, decode, handlers) name,
#define PTX_FORM(name, syntax, operands)
#include "core/ptx/opcodes.def"
#undef PTX_FORM
#undef PTX_OPCODE
};

// The execution unit, for the instruction mix and the time model.
enum class Unit : uint8_t {
  integer,
  fp32,
  fp64,
  fp16,
  special,
  convert,
  memory,
  texture,
  control,
  barrier,
  warp,
  tensor,
  move,
  video
};

std::string_view text_of(Opcode opcode);
std::string_view section_of(Opcode opcode);  // of the PTX ISA manual
Unit unit_of(Opcode opcode);
std::optional<Opcode> find_opcode(std::string_view text);
std::span<const Opcode> opcodes();  // all of them, in the order of the table

// A form: syntax "[.{rn,rz,rm,rp}][.ftz][.sat].f32" and operands "d,a,b". Braces hold alternatives; brackets
// hold optional parts.
struct Form {
  Opcode opcode;
  std::string_view syntax;
  std::string_view operands;
};
std::span<const Form> forms();
// The first form of the opcode that these modifiers and this number of operands match. Empty if none does.
std::optional<uint16_t> match_form(Opcode opcode, std::span<const Modifier> modifiers, uint32_t operands);

// PTX ISA 10: predefined read-only registers.
enum class SpecialRegister : uint8_t {
#define PTX_SPECIAL(name, text, bits, vector) name,
#include "core/ptx/specials.def"
#undef PTX_SPECIAL
};
std::string_view text_of(SpecialRegister special);
std::optional<SpecialRegister> find_special(std::string_view text);  // "%tid" → tid

struct SpecialShape {
  uint32_t bits;    // of a component
  bool has_fields;  // .x .y .z .w
};
SpecialShape shape_of(SpecialRegister special);

}  // namespace warplens::ptx
