// Two compilers side by side: what is counted in a PTX text, and what is said of two runs.
#include "core/job/report/compilers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

// Adds up `n` numbers in a loop, `unrolled` of them a pass.
std::string sum_ptx(int unrolled, bool selects) {
  std::string text = R"(.version 7.1
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 out, .param .u32 n)
{
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r2, 0;
mov.u32 %r3, 0;
LOOP:
)";
  for (int i = 0; i < unrolled; ++i) text += "add.s32 %r2, %r2, %r3;\nadd.s32 %r3, %r3, 1;\n";
  text += "setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra LOOP;\n";
  text += selects ? "setp.gt.s32 %p2, %r2, 1000;\nselp.b32 %r2, 1000, %r2, %p2;\n"
                  : "setp.le.s32 %p2, %r2, 1000;\n@%p2 bra DONE;\nmov.u32 %r2, 1000;\nDONE:\n";
  return text + "st.global.u32 [%rd2], %r2;\nret;\n}\n";
}

MadeBy made(const char* compiler, const std::string& ptx) {
  OwnKernelText text;
  text.source_name = "sum.ptx";
  text.ptx = "// warplens: arg0=int32[1] zero, arg1=64, grid=1, block=1\n" + ptx;
  const OwnKernel own = describe_own_kernel(text);
  EXPECT_TRUE(own.kernel) << to_text(own.diagnostics);
  const auto backend = make_virtual_gpu();
  Result<MadeBy> by = run_made(compiler, 10, own.kernel, *find_device("RTX 3060"), *backend, {});
  EXPECT_TRUE(by) << by.error().message;
  return std::move(*by);
}

TEST(PtxFacts, CountBranchesSelectionsAndWideAccesses) {
  const PtxFacts branches = ptx_facts(sum_ptx(1, false)), selects = ptx_facts(sum_ptx(2, true));
  EXPECT_EQ(branches.loops, 1u);
  EXPECT_EQ(branches.forward, 1u);
  EXPECT_EQ(branches.selections, 0u);
  EXPECT_EQ(selects.forward, 0u);
  EXPECT_EQ(selects.selections, 1u);
  EXPECT_EQ(selects.instructions, branches.instructions + 1);
  EXPECT_EQ(ptx_facts("no PTX at all").instructions, 0u);
}

TEST(ComparedCompilers, SayWhereTheyDifferAndWhy) {
  const MadeBy one = made("first 1", sum_ptx(1, false)), four = made("second 2", sum_ptx(4, true));
  const std::string text = compared_text(one, four);
  EXPECT_THAT(text, HasSubstr("second 2 unrolls loops further: 16 branches in place of 65."));
  EXPECT_THAT(
      text,
      HasSubstr(
          "second 2 selects or guards with a predicate (1 instructions, and 0 of first 1) where first 1 "
          "branches (1, and 0)."));
  EXPECT_THAT(text, HasSubstr("The outputs hold the same bytes."));
  const ReportJson json = compared_json(one, four);
  EXPECT_EQ(json["figures"]["branches"], ReportJson::array({65, 16}));
  EXPECT_EQ(json["same_outputs"], true);
  EXPECT_EQ(json["reasons"].size(), 2u);
}

TEST(ComparedCompilers, SayNothingOfTheSame) {
  const MadeBy one = made("first 1", sum_ptx(1, false));
  const std::string text = compared_text(one, one);
  EXPECT_THAT(text, Not(HasSubstr("unrolls")));
  EXPECT_THAT(text, Not(HasSubstr("differ")));
}

}  // namespace THIS_FILE
}  // namespace warplens
