// The reader of tests/data/ptx/*.warp, and every form on every instruction set of this machine against what
// real hardware answered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/gpu/exec/support.h"
#include "tests/core/gpu/exec/warp_case.h"

namespace warplens::exec::test {

namespace THIS_FILE {

std::string name_of(const WarpCase& test) {
  return test.code.empty() ? "?" : test.code.back().substr(0, test.code.back().find(' '));
}

// All seeds of a kind as blocks of one launch; how many differ from the hardware.
std::string differences(const WarpCase& test, const std::string& kind, const std::vector<std::string>& wanted,
                        const std::shared_ptr<const program::Program>& program) {
  std::vector<std::byte> input;
  for (uint32_t seed = 0; seed < warp_case_seeds; ++seed) {
    const auto part = test.input(kind, seed);
    input.insert(input.end(), part.begin(), part.end());
  }
  input.resize(std::max<size_t>(input.size(), 16));
  const size_t size = size_t{test.out_stride()} * 32;
  Bench bench(program);
  bench.buffer(input);
  const Allocation& out = bench.buffer(std::vector<std::byte>(size * warp_case_seeds));
  const GridOutcome outcome = bench.run({warp_case_seeds, 1, 1}, {32, 1, 1});
  if (outcome.end != GridOutcome::End::finished) return " the run faults";
  std::string text;
  for (uint32_t seed = 0; seed < warp_case_seeds; ++seed) {
    const std::string got = hash_of(out.host + seed * size, size);
    if (wanted.size() != warp_case_seeds || got != wanted[seed]) text += fmt::format(" {}", seed);
  }
  return text;
}

// "mma/f16": a group is a test of its own, since a table takes seconds.
std::vector<std::string> groups() {
  std::vector<std::string> names;
  for (const std::string& opcode : opcodes_with_warp_cases())
    for (const std::string& group : groups_of_warp_cases(opcode)) names.push_back(opcode + "/" + group);
  return names;
}

class WarpTruth : public testing::TestWithParam<std::string> {};

TEST_P(WarpTruth, EqualsTheHardware) {
  const std::string opcode = GetParam().substr(0, GetParam().find('/'));
  const auto cases = read_warp_cases(opcode);
  ASSERT_TRUE(cases) << cases.error().message;
  uint32_t forms = 0;
  for (const WarpCase& test : *cases) {
    if (opcode + "/" + test.group != GetParam()) continue;
    ++forms;
    const std::string where = fmt::format("tests/data/ptx/{}.warp:{}: ", opcode, test.line);
    const std::string ptx = ".version 8.7\n.target sm_90\n.address_size 64\n" + test.kernel();
    for (const InstructionSet& set : instruction_sets()) {
      const Decoded decoded = decode(ptx, "test", *set.table);
      ASSERT_NE(decoded.program, nullptr) << where << decoded.errors;
      ASSERT_FALSE(test.kinds.empty()) << where;
      for (const auto& [kind, wanted] : test.kinds) {
        EXPECT_EQ(differences(test, kind, wanted, decoded.program), "")
            << where << name_of(test) << ", values '" << kind << "' on " << set.name;
      }
    }
  }
  EXPECT_GT(forms, 0u) << "a group without a form";
}

// The names of the cases are read without the rest: no form may be left out by it.
TEST(WarpCase, EveryFormIsOfAGroupThatIsTried) {
  for (const std::string& opcode : opcodes_with_warp_cases()) {
    const auto cases = read_warp_cases(opcode);
    ASSERT_TRUE(cases) << cases.error().message;
    std::vector<std::string> groups;
    for (const WarpCase& test : *cases)
      if (groups.empty() || groups.back() != test.group) groups.push_back(test.group);
    EXPECT_EQ(groups_of_warp_cases(opcode), groups) << opcode;
  }
}

INSTANTIATE_TEST_SUITE_P(, WarpTruth, testing::ValuesIn(groups()),
                         [](const testing::TestParamInfo<std::string>& group) {
                           std::string name = group.param;
                           for (char& c : name) {
                             if (c == '/' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(WarpCase, IsReadFromItsTable) {
  const auto cases = parse_warp_cases(
      "# a note\ngroup f16\nform\n  mma {d}, {a};\n  in a b32 2 f16\n  out d f32 4\n  tile 16 0\n"
      "  = small 00000001 00000002\n\ngroup tf32\nform\n  mma;\n",
      "t.warp");
  ASSERT_TRUE(cases) << cases.error().message;
  ASSERT_EQ(cases->size(), 2u);
  const WarpCase& test = cases->front();
  EXPECT_EQ(test.group, "f16");
  EXPECT_EQ(test.line, 3u);
  EXPECT_EQ(test.code, std::vector<std::string>{"mma {d}, {a};"});
  EXPECT_EQ(test.ins.at(0).element, "f16");
  EXPECT_EQ(test.outs.at(0).count, 4u);
  EXPECT_EQ(test.tile_in, 16u);
  EXPECT_EQ(test.kinds.at(0).second, (std::vector<std::string>{"00000001", "00000002"}));
  EXPECT_EQ(cases->back().group, "tf32");
}

TEST(WarpCase, ErrorsNameFileAndLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"form\n", "t.warp:1: this form stands before the first 'group NAME'"},
      {"group a\n  mma;\n", "t.warp:2: this stands before the first 'form'"},
      {"group a\nform\n  mma;\ngroup b\n  mma;\n", "t.warp:5: this stands before the first 'form'"},
      {"group a\nform\n  in a b32 two f16\n", "t.warp:3: there is a word missing, or a number wrong"},
      {"group a\nform\n  in a b32 2\n", "t.warp:3: there is a word missing, or a number wrong"},
      {"group a\nform\n  = small\n", "t.warp:3: there is a word missing, or a number wrong"},
      {"group a\nforms\n",
       "t.warp:2: a line is 'group NAME', 'form', or of a form and begins with two spaces"},
  };
  for (const auto& [text, error] : cases) {
    const auto read = parse_warp_cases(text, "t.warp");
    EXPECT_EQ(read ? "" : read.error().message, error) << text;
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
