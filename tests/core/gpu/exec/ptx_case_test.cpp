// The reader of tests/data/ptx/*.cases.
#include "tests/core/gpu/exec/ptx_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string k_form =
    "form u32\nin 4 2\nout 8\n  add.u32 %y0, %x0, %x1;\n: 7fffffff 0001 = 0000000080000000\n";

PtxCase only_case(const std::string& text) {
  const auto cases = parse_ptx_cases(text, "t.cases");
  EXPECT_TRUE(cases) << cases.error().message;
  EXPECT_EQ(cases->size(), 1u);
  return cases->front();
}

std::string error_of(const std::string& text) {
  const auto cases = parse_ptx_cases(text, "t.cases");
  return cases ? "" : cases.error().message;
}

TEST(PtxCase, IsReadFromItsTable) {
  const PtxCase test = only_case("# a note\n\n" + k_form + "~ 00000000 0000 = 0000000000000001\n");
  EXPECT_EQ(test.name, "u32");
  EXPECT_EQ(test.form_line, 3u);
  EXPECT_THAT(test.in_bytes, ElementsAre(4, 2));
  EXPECT_THAT(test.out_bytes, ElementsAre(8));
  EXPECT_EQ(test.code, "  add.u32 %y0, %x0, %x1;\n");
  EXPECT_THAT(test.in, ElementsAre(ElementsAre(0x7fffffff, 1)));
  EXPECT_THAT(test.out, ElementsAre(ElementsAre(0x80000000)));
  EXPECT_THAT(test.line, ElementsAre(7));
  EXPECT_TRUE(test.can_be_guarded);
  EXPECT_TRUE(test.nearness.exact);
}

TEST(PtxCase, HasNotes) {
  const PtxCase divergent =
      only_case("form a\nwithin ulp 2 or absolute 1e-6\nvariants plain divergent\n" + k_form.substr(9));
  EXPECT_FALSE(divergent.nearness.exact);
  EXPECT_EQ(divergent.nearness.ulp, 2);
  EXPECT_EQ(divergent.nearness.absolute, 1e-6);
  EXPECT_FALSE(divergent.can_be_guarded);
  EXPECT_FALSE(divergent.alone);
  const PtxCase alone = only_case("form a\nvariants alone\n" + k_form.substr(9));
  EXPECT_TRUE(alone.alone);
  EXPECT_FALSE(alone.can_be_guarded);
}

// Both readers of tests/core/gpu/exec/data make the same kernels: this one and tests/data/truth/ptx_tables.py
// (tests/tools/ptx_tables_test.py).
TEST(PtxCase, IsTheKernelThatWasRecorded) {
  const PtxCase test = only_case(read_text(source_file("tests/core/gpu/exec/data/frame.cases")));
  EXPECT_EQ(text_of(test, Variant::plain), read_text(source_file("tests/core/gpu/exec/data/frame.ptx")));
}

TEST(PtxCase, IsGuardedOrSkipped) {
  const PtxCase test = only_case(k_form);
  EXPECT_THAT(text_of(test, Variant::guarded), HasSubstr("\n  @%guard add.u32 %y0, %x0, %x1;\n  st.global"));
  EXPECT_THAT(text_of(test, Variant::divergent),
              HasSubstr("\n  @!%guard bra SKIP;\n  add.u32 %y0, %x0, %x1;\nSKIP:\n  st.global"));
  EXPECT_THAT(text_of(test, Variant::plain), HasSubstr(".version 7.8\n.target sm_80\n"));
}

TEST(PtxCase, ErrorsNameFileLineAndForm) {
  const std::string head = "form a\nin 4\nout 4\n", code = "  abs.s32 %y0, %x0;\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "t.cases:0: the table has no 'form NAME'"},
      {"in 4\n", "t.cases:1: this stands before the first 'form NAME'"},
      {"form\n", "t.cases:1: 'form' lacks a name"},
      {k_form + k_form, "t.cases:6: line 1 has a form u32 already"},
      {head + k_form, "t.cases:1: form a has no code: lines that begin with two spaces"},
      {head + code, "t.cases:1: form a has no rows: lines such as ': OPERANDS = RESULTS'"},
      {"form a\nin 4 3\n", "t.cases:2: form a: a value has 2, 4 or 8 bytes, not '3'"},
      {"form a\nin\n", "t.cases:2: form a: 'in' and 'out' take the bytes of each value, such as 'in 4 4'"},
      {"form a\nin 4\n: 00000000 = 00000000\n", "t.cases:3: form a: 'in' and 'out' come before the rows"},
      {head + "abs.s32 %y0, %x0;\n",
       "t.cases:4: form a: no line begins with 'abs.s32'; code begins with two spaces"},
      {head + "variants guarded\n",
       "t.cases:4: form a: 'variants guarded': there are 'alone' and 'plain divergent'"},
      {head + "target 8.6\n", "t.cases:4: form a: 'target' takes two words, such as 'target 8.6 sm_90'"},
      {head + "within ulp\n",
       "t.cases:4: form a: 'within' takes ulp, absolute, relative, f16 or bf16, each with a number"},
      {head + code + ": 00000000\n", "t.cases:5: form a: a row is ': OPERANDS = RESULTS'"},
      {head + code + ": 00000000 = 00000000\n" + code, "t.cases:6: form a: rows come last in a form"},
      {head + code + ": 0000000g = 00000000\n",
       "t.cases:5: form a: '0000000g' is no number of 8 hexadecimal digits"},
      {head + code + ": 0000 = 00000000\n", "t.cases:5: form a: '0000' is no number of 8 hexadecimal digits"},
      {head + code + ": 00000000 00000000 = 00000000\n", "t.cases:5: form a: 2 operands, but the form has 1"},
      {head + code + ": 00000000 =\n", "t.cases:5: form a: 0 results, but the form has 1"},
      {head + code + ": 00000000 = ?\n",
       "t.cases:5: form a: the row has no results yet; README.md there says how they are recorded"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(error_of(text), error) << text;
}

TEST(PtxCase, OfAnOpcodeWithoutATableIsAnError) { EXPECT_FALSE(read_ptx_cases("no_such_opcode")); }

TEST(PtxCase, NearnessCountsUlpsAcrossZero) {
  const Nearness two{.exact = false, .ulp = 2};
  EXPECT_TRUE(is_near(0x00000001, 0x80000001, 4, two));
  EXPECT_FALSE(is_near(0x00000002, 0x80000001, 4, two));
  EXPECT_TRUE(is_near(0x3f800000, 0x3f800002, 4, two));
  EXPECT_FALSE(is_near(0x3f800000, 0x3f800003, 4, two));
  EXPECT_FALSE(is_near(0x7fc00000, 0x3f800000, 4, two));
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
