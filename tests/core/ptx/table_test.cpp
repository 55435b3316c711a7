// opcodes.def, modifiers.def and specials.def: that every row is reachable, and by one way only.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/ptx/check/forms.h"
#include "core/ptx/check/unsupported.h"

namespace warplens::ptx {
namespace THIS_FILE {

// The first alternative of every group, or only of the mandatory ones.
std::vector<Modifier> modifiers_of(const FormPattern& pattern, bool with_optional) {
  std::vector<Modifier> modifiers;
  for (const ModifierGroup& group : pattern.groups) {
    if (group.optional && !with_optional) continue;
    for (size_t i = 0; i < group.alternatives.size(); ++i) {
      if (!group.alternatives.test(i)) continue;
      modifiers.push_back(static_cast<Modifier>(i));
      break;
    }
  }
  return modifiers;
}

TEST(PtxTable, FindsEveryOpcodeByItsText) {
  for (const Opcode opcode : opcodes()) {
    EXPECT_EQ(find_opcode(text_of(opcode)), opcode) << text_of(opcode);
    EXPECT_TRUE(section_of(opcode).starts_with("9.7.")) << text_of(opcode);
    EXPECT_FALSE(unsupported_instruction(text_of(opcode))) << text_of(opcode);
    EXPECT_LT(forms_of(opcode).first, forms_of(opcode).last) << text_of(opcode);
  }
  EXPECT_FALSE(find_opcode("nonsense"));
  EXPECT_FALSE(find_opcode(""));
}

TEST(PtxTable, FindsEveryModifierByItsText) {
  size_t count = 0;
#define PTX_MODIFIER(name, text, kind)                            \
  EXPECT_EQ(find_modifier(text), Modifier::name);                 \
  EXPECT_EQ(text_of(Modifier::name), text);                       \
  EXPECT_EQ(kind_of(Modifier::name), ModifierKind::kind) << text; \
  ++count;
#include "core/ptx/modifiers.def"
#undef PTX_MODIFIER
  EXPECT_LE(count, ModifierGroup().alternatives.size());
  EXPECT_FALSE(find_modifier("nonsense"));
}

TEST(PtxTable, FindsEverySpecialRegisterByItsText) {
#define PTX_SPECIAL(name, text, wanted_bits, wanted_fields)                            \
  EXPECT_EQ(find_special(text), SpecialRegister::name);                                \
  EXPECT_EQ(text_of(SpecialRegister::name), text);                                     \
  EXPECT_EQ(shape_of(SpecialRegister::name).bits, static_cast<uint32_t>(wanted_bits)); \
  EXPECT_EQ(shape_of(SpecialRegister::name).has_fields, wanted_fields);
#include "core/ptx/specials.def"
#undef PTX_SPECIAL
  EXPECT_FALSE(find_special("%nonsense"));
}

TEST(PtxTable, TypesHaveSizes) {
  for (uint16_t i = 0; i < 256; ++i) {
    const auto type = static_cast<Modifier>(i);
    if (i > static_cast<uint16_t>(Modifier::pred)) break;
    EXPECT_EQ(kind_of(type), ModifierKind::type);
    EXPECT_NE(bits_of(type), 0u) << text_of(type);
    EXPECT_FALSE(is_float(type) && is_signed(type)) << text_of(type);
  }
  EXPECT_EQ(bits_of(Modifier::f16x2), 32u);
  EXPECT_EQ(bits_of(Modifier::pred), 1u);
}

TEST(PtxTable, FormsAreUnique) {
  std::set<std::string> seen;
  for (const Form& form : forms()) {
    const std::string key =
        std::string(text_of(form.opcode)) + std::string(form.syntax) + " " + std::string(form.operands);
    EXPECT_TRUE(seen.insert(key).second) << key;
  }
}

TEST(PtxTable, EveryNameInAFormIsAModifier) {
  for (uint16_t i = 0; i < forms().size(); ++i) {
    const FormPattern& pattern = pattern_of(i);
    EXPECT_LE(pattern.groups.size(), 16u);
    for (const ModifierGroup& group : pattern.groups)
      EXPECT_TRUE(group.alternatives.any()) << forms()[i].syntax;
    const auto commas = std::ranges::count(forms()[i].syntax, ',');
    size_t alternatives = 0, groups_with_braces = 0;
    for (const ModifierGroup& group : pattern.groups) alternatives += group.alternatives.count();
    groups_with_braces = pattern.groups.size();
    EXPECT_EQ(alternatives, groups_with_braces + static_cast<size_t>(commas)) << forms()[i].syntax;
  }
}

// No form hides another: its own modifiers lead to it.
TEST(PtxTable, EveryFormMatchesItself) {
  for (uint16_t i = 0; i < forms().size(); ++i) {
    const FormPattern& pattern = pattern_of(i);
    for (const bool with_optional : {false, true}) {
      const auto modifiers = modifiers_of(pattern, with_optional);
      EXPECT_EQ(match_form(forms()[i].opcode, modifiers, pattern.operand_count), i)
          << text_of(forms()[i].opcode) << forms()[i].syntax;
    }
  }
}

TEST(PtxTable, ModifiersMayStandInAnyOrderButTypesNot) {
  const Modifier volatile_first[] = {Modifier::volatile_, Modifier::global, Modifier::u32};
  const Modifier volatile_last[] = {Modifier::global, Modifier::volatile_, Modifier::u32};
  EXPECT_EQ(match_form(Opcode::ld, volatile_first, 2), match_form(Opcode::ld, volatile_last, 2));
  EXPECT_TRUE(match_form(Opcode::ld, volatile_first, 2));
  const Modifier to_float[] = {Modifier::rn, Modifier::f32, Modifier::s32};
  const Modifier to_integer[] = {Modifier::rn, Modifier::s32, Modifier::f32};
  EXPECT_TRUE(match_form(Opcode::cvt, to_float, 2));
  EXPECT_FALSE(match_form(Opcode::cvt, to_integer, 2));
  const Modifier half_a_pair[] = {Modifier::xorsign, Modifier::f32};
  EXPECT_FALSE(match_form(Opcode::min, half_a_pair, 3));
  EXPECT_FALSE(match_form(Opcode::add, std::array{Modifier::f32, Modifier::f32}, 3));
}

TEST(PtxTable, GuessesMisspeltInstructions) {
  EXPECT_EQ(nearest_instruction("ad"), "add");
  EXPECT_EQ(nearest_instruction("stp"), "setp");
  EXPECT_EQ(nearest_instruction("xyzzyplugh"), "");
  EXPECT_EQ(nearest_instruction(std::string(1000, 'a')), "");
}

}  // namespace THIS_FILE
}  // namespace warplens::ptx
