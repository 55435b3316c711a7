// The tables made from opcodes.def and specials.def, and the look-up of names in them.
#include "core/ptx/opcode.h"

#include "core/ptx/name_table.h"

namespace warplens::ptx {

namespace {

// std::to_array, because clang cannot deduce the type of an std::array with more than 256 elements.

constexpr auto k_opcode_texts = std::to_array<std::string_view>({
#define PTX_OPCODE(name, text, section, unit, decode, handlers) std::string_view(text),
#define PTX_FORM(name, syntax, operands)
#include "core/ptx/opcodes.def"
#undef PTX_OPCODE
});

constexpr auto k_sections = std::to_array<std::string_view>({
#define PTX_OPCODE(name, text, section, unit, decode, handlers) std::string_view(section),
#include "core/ptx/opcodes.def"
#undef PTX_OPCODE
});

constexpr auto k_units = std::to_array<Unit>({
#define PTX_OPCODE(name, text, section, unit, decode, handlers) Unit::unit,
#include "core/ptx/opcodes.def"
#undef PTX_OPCODE
#undef PTX_FORM
});

constexpr auto k_forms = std::to_array<Form>({
#define PTX_OPCODE(name, text, section, unit, decode, handlers)
#define PTX_FORM(name, syntax, operands) Form{Opcode::name, syntax, operands},
#include "core/ptx/opcodes.def"
#undef PTX_OPCODE
#undef PTX_FORM
});

constexpr auto k_specials = std::to_array<std::string_view>({
#define PTX_SPECIAL(name, text, bits, vector) std::string_view(text),
#include "core/ptx/specials.def"
#undef PTX_SPECIAL
});

constexpr auto k_special_shapes = std::to_array<SpecialShape>({
#define PTX_SPECIAL(name, text, bits, vector) SpecialShape{bits, vector},
#include "core/ptx/specials.def"
#undef PTX_SPECIAL
});

constexpr NameTable k_opcode_table(k_opcode_texts);
constexpr NameTable k_special_table(k_specials);

}  // namespace

std::string_view text_of(Opcode opcode) { return k_opcode_texts[static_cast<size_t>(opcode)]; }

std::string_view section_of(Opcode opcode) { return k_sections[static_cast<size_t>(opcode)]; }

Unit unit_of(Opcode opcode) { return k_units[static_cast<size_t>(opcode)]; }

std::optional<Opcode> find_opcode(std::string_view text) {
  if (const auto index = k_opcode_table.find(text)) return static_cast<Opcode>(*index);
  return std::nullopt;
}

std::span<const Opcode> opcodes() {
  static constexpr auto k_opcodes = [] {
    std::array<Opcode, k_opcode_texts.size()> all{};
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Opcode>(i);
    return all;
  }();
  return k_opcodes;
}

std::span<const Form> forms() { return k_forms; }

std::string_view text_of(SpecialRegister special) { return k_specials[static_cast<size_t>(special)]; }

SpecialShape shape_of(SpecialRegister special) { return k_special_shapes[static_cast<size_t>(special)]; }

std::optional<SpecialRegister> find_special(std::string_view text) {
  if (const auto index = k_special_table.find(text)) return static_cast<SpecialRegister>(*index);
  return std::nullopt;
}

}  // namespace warplens::ptx
