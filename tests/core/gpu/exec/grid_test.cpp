// When a launch counts as endless.
#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/step_budget.h"

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

// The blocks that ended are not reported as still running: the next one is, which has not run.
TEST(Grid, ABlockThatEndedIsNotWhereTheBudgetEnds) {
  // Less than a block's steps: the last one ends after the budget does, and the launch with it.
  EXPECT_EQ(end_of(1000, {2, 1, 1}, 100, {}), GridOutcome::End::finished);
  const InstructionSet set = instruction_sets().back();
  const Decoded decoded = decode(loops, "k", *set.table);
  ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  Bench bench(decoded.program);
  bench.parameter(uint32_t{1000});
  GridLaunch launch = bench.launch_of({4, 1, 1}, {32, 1, 1});
  launch.step_budget = 100;
  const GridOutcome outcome = run_grid(launch, {}, nullptr);
  EXPECT_EQ(outcome.end, GridOutcome::End::fault);
  EXPECT_EQ(outcome.fault.kind, FaultKind::step_limit);
  EXPECT_EQ(outcome.fault_block, (Dim3{2, 0, 0}));
  EXPECT_EQ(outcome.fault.op, nullptr) << "it has not run";
}

// The worker that uses up the budget, and another one that asks before the first has looked at the clock.
TEST(Grid, PatienceBeginsWithTheWorkerThatAsksFirst) {
  using std::chrono::milliseconds;
  StepBudget budget;
  budget.give(10);
  EXPECT_TRUE(budget.is_left());
  budget.take(11);
  EXPECT_FALSE(budget.is_left());
  const auto start = StepBudget::Clock::now();
  EXPECT_TRUE(budget.may_go_on(start, milliseconds(100)));
  EXPECT_TRUE(budget.may_go_on(start + milliseconds(99), milliseconds(100)));
  EXPECT_FALSE(budget.may_go_on(start + milliseconds(100), milliseconds(100)));
  budget.note_end_of_block(start + milliseconds(100));
  EXPECT_TRUE(budget.may_go_on(start + milliseconds(150), milliseconds(100)));
  EXPECT_FALSE(budget.may_go_on(start + milliseconds(150), {})) << "without patience";
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
