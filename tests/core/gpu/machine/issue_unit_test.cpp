#include "core/gpu/machine/issue_unit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/program/flow/cfg.h"
#include "core/ptx/parser/parse.h"

namespace warplens {
namespace THIS_FILE {

// The function of a kernel with these instructions.
ptx::ParseResult parsed(const std::string& body) {
  return ptx::parse(fmt::format(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{{
  .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<4>; .reg .f64 %g<4>;
{}
  ret;
}}
)",
                                body),
                    "test.ptx");
}

IssueUnit unit_of(const std::string& instruction) {
  const ptx::ParseResult result = parsed(instruction);
  EXPECT_NE(result.module, nullptr) << instruction;
  if (result.module == nullptr) return IssueUnit::other;
  const ptx::Function& function = result.module->functions.front();
  return issue_cost(function, function.instructions.front()).unit;
}

// As ncu's counts of pipes on an H200 show it: the unit for conversions takes no integers for other integers,
// and no 32-bit integers for floats.
TEST(IssueUnit, ConversionsRunWhereTheGpuRunsThem) {
  const auto is = [](const char* instruction, IssueUnit unit) {
    EXPECT_EQ(unit_of(instruction), unit) << instruction;
  };
  is("cvt.u32.u16 %r0, %h0;", IssueUnit::removed);
  is("cvt.u16.u32 %h0, %r0;", IssueUnit::removed);
  is("cvt.u64.u32 %d0, %r0;", IssueUnit::removed);
  is("cvt.u32.u64 %r0, %d0;", IssueUnit::removed);
  is("cvt.s64.s32 %d0, %r0;", IssueUnit::integer);
  is("cvt.u32.u8 %r0, %r1;", IssueUnit::integer);
  is("cvt.sat.u8.s32 %h0, %r1;", IssueUnit::integer);
  is("cvt.rn.f32.s32 %f0, %r0;", IssueUnit::integer);
  is("cvt.rn.f32.u32 %f0, %r0;", IssueUnit::integer);
  is("cvt.rn.f32.u16 %f0, %h0;", IssueUnit::convert);
  is("cvt.rn.f32.s64 %f0, %d0;", IssueUnit::convert);
  is("cvt.rzi.u32.f32 %r0, %f0;", IssueUnit::convert);
  is("cvt.rzi.s64.f64 %d0, %g0;", IssueUnit::convert);
  is("cvt.f64.f32 %g0, %f0;", IssueUnit::convert);
}

TEST(ControlFlow, HasALoopWhereABranchLeadsBack) {
  const auto loops = [](const std::string& body) {
    const ptx::ParseResult result = parsed(body);
    EXPECT_NE(result.module, nullptr) << body;
    return result.module != nullptr &&
           program::has_loop(program::control_flow_of(result.module->functions.front()));
  };
  EXPECT_FALSE(loops("mov.u32 %r0, 1;"));
  EXPECT_FALSE(loops("setp.eq.u32 %p0, %r0, 1; @%p0 bra out; mov.u32 %r0, 2; out: mov.u32 %r1, 3;"));
  EXPECT_TRUE(loops("again: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 9; @%p0 bra again;"));
  EXPECT_TRUE(loops("again: bra again;"));
  EXPECT_TRUE(loops("bra test; body: add.u32 %r0, %r0, 1; test: setp.lt.u32 %p0, %r0, 9; @%p0 bra body;"));
}

}  // namespace THIS_FILE
}  // namespace warplens
