// When a launch counts as endless.
#include "core/gpu/exec/grid.h"

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

// Block b loops b * n times.
const std::string loops = module_text(R"(
.visible .entry k(.param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %left, %b;
  ld.param.u32 %left, [n];
  mov.u32 %b, %ctaid.x;
  mul.lo.u32 %left, %left, %b;
again:
  setp.eq.u32 %p, %left, 0;
  @%p ret;
  sub.u32 %left, %left, 1;
  bra again;
})");

GridOutcome::End end_of(uint32_t n, Dim3 grid, uint64_t budget, std::chrono::milliseconds patience) {
  const InstructionSet set = instruction_sets().back();
  const Decoded decoded = decode(loops, "k", *set.table);
  EXPECT_NE(decoded.program, nullptr) << decoded.errors;
  Bench bench(decoded.program);
  bench.parameter(n);
  GridLaunch launch = bench.launch_of(grid, {32, 1, 1});
  launch.step_budget = budget;
  launch.patience = patience;
  return run_grid(launch, {}, nullptr).end;
}

TEST(Grid, EndsWhereItsBudgetIsUsedUp) {
  EXPECT_EQ(end_of(1000, {8, 1, 1}, 1'000'000, {}), GridOutcome::End::finished);
  EXPECT_EQ(end_of(1000, {8, 1, 1}, 10'000, {}), GridOutcome::End::fault);
}

TEST(Grid, GoesOnBehindItsBudgetWhileBlocksEnd) {
  using std::chrono::milliseconds;
  EXPECT_EQ(end_of(1000, {64, 1, 1}, 10'000, milliseconds(60'000)), GridOutcome::End::finished);
  // Block 1 would loop four billion times.
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(end_of(0xffffffff, {2, 1, 1}, 10'000, milliseconds(200)), GridOutcome::End::fault);
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(200));
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
