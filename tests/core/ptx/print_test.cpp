#include <gtest/gtest.h>

#include "core/ptx/print/print.h"
#include "tests/core/gpu/exec/ptx_case.h"
#include "tests/core/ptx/support.h"

namespace warplens::ptx {
namespace THIS_FILE {

void expect_identity(const std::string& text, const std::string& name) {
  const ParseResult once = parse(text, "once.ptx");
  ASSERT_TRUE(once.module) << name;
  const std::string printed = print(*once.module);
  const ParseResult twice = parse(printed, "twice.ptx");
  ASSERT_TRUE(twice.module) << name << to_text(twice.diagnostics) << printed;
  EXPECT_EQ(print(*twice.module), printed) << name;
}

TEST(PtxPrint, IsTheIdentityOnItsOwnOutput) {
  for (const auto& path : test::samples()) expect_identity(test::read(path), path.string());
}

// Operands of every kind, as of textures.
TEST(PtxPrint, IsTheIdentityForEveryInstruction) {
  const std::vector<std::string> opcodes = exec::test::opcodes_with_cases();
  for (const std::string& opcode : opcodes) {
    const auto cases = exec::test::read_ptx_cases(opcode);
    ASSERT_TRUE(cases) << cases.error().message;
    for (const auto& each : *cases)
      expect_identity(text_of(each, exec::test::Variant::plain), opcode + "/" + each.name);
  }
  EXPECT_GT(opcodes.size(), 80u);
}

TEST(PtxPrint, LosesNothing) {
  for (const auto& path : test::samples()) {
    const auto a = parse(test::read(path), "a.ptx").module;
    const auto b = parse(print(*a), "b.ptx").module;
    ASSERT_TRUE(b);
    ASSERT_EQ(a->functions.size(), b->functions.size());
    EXPECT_EQ(a->variables.size(), b->variables.size());
    for (const Function& function : a->functions) {
      if (!function.is_entry) continue;
      const Function& other = *b->find_entry(function.name);
      EXPECT_EQ(function.registers.size(), other.registers.size()) << path;
      EXPECT_EQ(function.variables.size(), other.variables.size());
      EXPECT_EQ(function.modifiers, other.modifiers);
      ASSERT_EQ(function.instructions.size(), other.instructions.size());
      for (size_t i = 0; i < function.instructions.size(); ++i) {
        const Instruction &x = function.instructions[i], &y = other.instructions[i];
        EXPECT_EQ(x.form, y.form);
        EXPECT_EQ(a->locations[x.location].line, b->locations[y.location].line);
        EXPECT_EQ(a->locations[x.location].function, b->locations[y.location].function);
      }
    }
  }
}

TEST(PtxPrint, WritesInstructions) {
  const std::string lines[] = {
      "@%p1 bra L;",
      "@!%p1 bra.uni L;",
      "ld.global.v4.f32 {%f1, _, %f2, %f3}, [%rd1+-16];",
      "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;",
      "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
      "mov.u32 %r1, %tid.x;",
      "mov.f32 %f1, %v.y;",
      "mov.u64 %rd1, g+4;",
      "mov.b32 %r1, 0f3F800000;",
      "mov.f64 %d1, 0d3FF0000000000000;",
      "atom.global.add.u32 _, [g], 4294967295U;",
      "call (%r1), ff, (%r2);",
      "bar.sync 0;",
      "ret;",
  };
  for (const std::string& line : lines) {
    const auto module = parse(test::kernel(line), "t").module;
    ASSERT_TRUE(module) << line;
    const Function& k = *module->find_entry("k");
    EXPECT_EQ(print_instruction(*module, k, k.instructions[0]), line);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::ptx
