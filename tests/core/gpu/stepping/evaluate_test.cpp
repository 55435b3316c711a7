// Expressions in the lanes of a stepped block, which blocks a condition cannot hold in, and where incidents
// are.
#include <gtest/gtest.h>

#include "core/gpu/stepping/call_stack.h"
#include "core/gpu/stepping/incident_place.h"
#include "core/gpu/stepping/stops/block_filter.h"
#include "tests/core/gpu/stepping/support.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

using stepping::BlockFilter;
using stepping::BlockStepper;
using stepping::Breakpoint;

// tests/data/debug/sums.cu.
BlockStepper sums(const char* entry, Dim3 block) {
  Result<LaunchFile> file =
      read_launch_file((test_files::source_dir() / "tests/data/debug/sums.json").string());
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  for (Step& step : file->request.steps)
    if (auto* launch = std::get_if<LaunchStep>(&step)) launch->entry = entry;
  return test::stepper(file->request, block);
}

TEST(StepEvaluate, HasAValueForEachLaneThatIsAskedFor) {
  BlockStepper stepper = sums("sums", {1, 0, 0});
  ASSERT_TRUE(stepper.add({.kind = Breakpoint::Kind::source_line, .line = 19}));
  ASSERT_EQ(stepper.run({}).why, stepping::Why::breakpoint);
  const auto values = stepper.evaluate(0, "pair.low * 2 + threadIdx.x % 2", 0b1010);
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ((*values)[1], expression::Value(2 * 65 + 1));
  EXPECT_EQ((*values)[3], expression::Value(2 * 67 + 1));
  EXPECT_FALSE((*values)[0].is_known());
  EXPECT_EQ((*stepper.evaluate(0, "blockIdx.x == 1 && n == 150"))[5], expression::Value(true));
  EXPECT_NE(stepper.evaluate(0, "1 +").error().message.find("The expression \"1 +\""), std::string::npos);
  EXPECT_NE(stepper.evaluate(0, "nothing").error().message.find("means nothing here"), std::string::npos);
  EXPECT_NE(stepper.evaluate(0, "step").error().message.find("not in scope"), std::string::npos);
}

TEST(StepEvaluate, TakesTheVariablesOfAFrame) {
  BlockStepper stepper = sums("sums", {0, 0, 0});
  ASSERT_TRUE(stepper.add({.kind = Breakpoint::Kind::source_line, .line = 9}));
  ASSERT_EQ(stepper.run({}).why, stepping::Why::breakpoint);
  const auto stacks = stepper.stacks(0);
  ASSERT_EQ(stacks.at(0).frames.size(), 2u);
  const stepping::FrameView &inner = stacks[0].frames[0], &outer = stacks[0].frames[1];
  EXPECT_EQ((*stepper.evaluate(0, "value", ~0u, &inner))[7], expression::Value(7));
  EXPECT_EQ((*stepper.evaluate(0, "i + pair.high", ~0u, &outer))[7], expression::Value(150));
  ASSERT_TRUE(stepper.find_part(0, "pair.high", ~0u, &outer));
  EXPECT_EQ(stepper.text_of(0, *stepper.find_part(0, "pair.high", ~0u, &outer), 7), "143");
  EXPECT_FALSE(stepper.find_part(0, "pair.middle", ~0u, &outer));
}

TEST(StepEvaluate, FindsAllBreakpointsOfAPlace) {
  BlockStepper stepper = sums("sums", {0, 0, 0});
  const Result<uint32_t> first = stepper.add({.kind = Breakpoint::Kind::source_line, .line = 16}),
                         other = stepper.add(
                             {.kind = Breakpoint::Kind::source_line, .line = 16, .condition = "lane == 3"}),
                         never = stepper.add(
                             {.kind = Breakpoint::Kind::source_line, .line = 16, .condition = "lane == 40"});
  ASSERT_TRUE(first && other && never);
  stepper.run({});
  const auto all = stepper.all_here();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].breakpoint, *first);
  EXPECT_EQ(all[1].breakpoint, *other);
  EXPECT_EQ(all[1].lanes, 1u << 3);
}

TEST(BlockFilter, IsCertainOnlyWhereTheBlockDecides) {
  const Dim3 grid{100, 20, 1}, threads{64, 1, 1};
  const auto holds = [&](const char* condition, Dim3 block) {
    const Result<BlockFilter> filter = BlockFilter::make(condition, grid, threads);
    EXPECT_TRUE(filter) << condition;
    return filter->may_hold(block);
  };
  EXPECT_TRUE(holds("", {3, 0, 0}));
  EXPECT_TRUE(holds("blockIdx.x == 3 && i > 10", {3, 0, 0}));
  EXPECT_FALSE(holds("blockIdx.x == 3 && i > 10", {4, 0, 0}));
  EXPECT_FALSE(holds("i > 10 && blockIdx.y == gridDim.y - 1", {4, 0, 0}));
  EXPECT_TRUE(holds("i > 10 && blockIdx.y == gridDim.y - 1", {4, 19, 0}));
  EXPECT_TRUE(holds("i > 10 || blockIdx.x == 3", {4, 0, 0}));
  EXPECT_TRUE(holds("blockIdx.x * blockDim.x + threadIdx.x == 200", {0, 0, 0}));
  EXPECT_FALSE(holds("%ctaid.x > 5", {5, 0, 0}));
  EXPECT_TRUE(holds("ctaid.x > 5", {5, 0, 0})) << "it may be a variable of the source";
  EXPECT_FALSE(BlockFilter::make("x >", grid, threads));
}

TEST(IncidentPlace, IsBeforeTheInstructionThatDidIt) {
  BlockStepper stepper = sums("racy", {0, 0, 0});
  Incident read;
  read.thread = {31, 0, 0};
  read.line = 34;
  read.allocation = "tile";
  read.offset = 128;
  read.bytes = 4;
  const auto at = stepping::position_of(stepper, read);
  ASSERT_TRUE(at);
  EXPECT_EQ(stepper.position(), 0u) << "it stays where it is";
  stepper.jump(*at);
  EXPECT_EQ(stepper.place(stepper.next()->instruction).line, 34u);
  stepper.jump(*at + 1);
  ASSERT_EQ(stepper.accesses().size(), 1u);
  EXPECT_EQ(stepper.accesses()[0].kind, AccessKind::load);
  EXPECT_EQ(stepper.accesses()[0].address[31], 128u);
  read.line = 33;
  EXPECT_FALSE(stepping::position_of(stepper, read)) << "this thread does not access it in that line";
  read.block = {1, 0, 0};
  EXPECT_FALSE(stepping::position_of(stepper, read)) << "another block";
}

}  // namespace THIS_FILE
}  // namespace warplens
