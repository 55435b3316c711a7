// The block that the Step view shows, without a window.
#include "app/worker/stepped_block.h"

#include <gmock/gmock.h>

#include "core/device/device.h"
#include "core/kernels/catalogue.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

StepOrder order_for(const char* name, Dim3 block = {0, 0, 0}) {
  const auto kernel = find_kernel(name);
  Result<LaunchRequest> request = make_request(**kernel, default_setup(**kernel), *find_device("3060"));
  EXPECT_TRUE(request);
  StepOrder order;
  order.serial = 1;
  order.request = std::make_shared<const LaunchRequest>(std::move(request).value());
  order.block = block;
  return order;
}

SteppedBlock opened(const StepOrder& order) {
  Result<SteppedBlock> block = SteppedBlock::open(order, order.request, {});
  EXPECT_TRUE(block) << (block ? "" : block.error().message);
  SteppedBlock made = std::move(block).value();
  made.move({StepMoveKind::to_position}, {});
  return made;
}

void look_around(SteppedBlock& block) {
  for (int i = 0; i < 10 && !block.knows_all(); ++i) block.look_ahead({});
  EXPECT_TRUE(block.knows_all());
}

TEST(SteppedBlockOfTheView, FindsOutAtRestWhatAMoveDoesNotWaitFor) {
  StepOrder order = order_for("reduce_shared");
  order.wants.breakpoints = {{order.request->module->source_name, 13, ""}, {"other.cu", 13, ""}};
  SteppedBlock block = opened(order);
  EXPECT_FALSE(block.knows_all());
  look_around(block);
  const StepSnapshot& shown = block.shown();
  EXPECT_EQ(shown.position, 0u) << "it comes back";
  EXPECT_TRUE(shown.length);
  ASSERT_TRUE(shown.stops);
  EXPECT_GT(shown.stops->size(), 3u);
  EXPECT_EQ(shown.breakpoints.size(), 1u) << "another file's is not of this source";
  ASSERT_TRUE(shown.log);
  EXPECT_FALSE(shown.log->accesses.empty());
  const auto lane = block.move({StepMoveKind::next_stop}, {});
  EXPECT_EQ(lane, 0u) << "the first lane that it stops for";
  EXPECT_EQ(shown.position, shown.stops->front());
  block.move({StepMoveKind::last_stop}, {});
  EXPECT_EQ(shown.position, shown.stops->front());
  EXPECT_THAT(shown.message, HasSubstr("No breakpoint stops before"));
}

TEST(SteppedBlockOfTheView, WithoutABreakpointSaysHowToSetOne) {
  SteppedBlock block = opened(order_for("vector_add"));
  block.move({StepMoveKind::next_stop}, {});
  EXPECT_EQ(block.shown().position, 0u);
  EXPECT_THAT(block.shown().message, HasSubstr("click next to"));
}

TEST(SteppedBlockOfTheView, AMoveShowsAllThatItTouched) {
  SteppedBlock block = opened(order_for("vector_add"));
  StepMove end{StepMoveKind::to_line};
  end.value = 7;
  block.move(end, {});
  const StepSnapshot& shown = block.shown();
  ASSERT_EQ(shown.touched.size(), 3u) << "x, y and out";
  EXPECT_EQ(shown.touched[2].kind, AccessKind::store);
  for (const stepping::LoggedAccess& access : shown.touched) EXPECT_EQ(access.known, access.lanes);
  ASSERT_EQ(shown.access.accesses.size(), 1u);
  EXPECT_EQ(shown.access.accesses[0].kind, AccessKind::store) << "the last one";
}

TEST(SteppedBlockOfTheView, LooksForWritesOfABuffer) {
  SteppedBlock block = opened(order_for("vector_add", {1, 0, 0}));
  const auto& buffers = block.shown().stepped->buffers;
  const auto out = std::ranges::find(buffers, true, &BufferSpec::output);
  ASSERT_NE(out, buffers.end());
  StepMove write{StepMoveKind::next_write};
  write.space = Space::global;
  write.buffer = out->name;
  write.address = uint64_t{256 + 40} * 4;
  block.move(write, {});
  EXPECT_EQ(block.shown().warp, 1u);
  const uint64_t at = block.shown().position;
  write.kind = StepMoveKind::who_wrote;
  block.move({StepMoveKind::to_end}, {});
  block.move(write, {});
  EXPECT_EQ(block.shown().position, at);
  block.move(write, {});
  EXPECT_THAT(block.shown().message, HasSubstr("for the first time"));
  write.address = 0;
  block.move(write, {});
  EXPECT_EQ(block.shown().position, at);
  EXPECT_THAT(block.shown().message, HasSubstr("before the launch"));
  write.buffer = "no such";
  block.move(write, {});
  EXPECT_THAT(block.shown().message, HasSubstr("no such buffer"));
}

TEST(SteppedBlockOfTheView, AnOrderByHandForgetsWhatWasKnown) {
  SteppedBlock block = opened(order_for("reduce_shared"));
  look_around(block);
  StepMove other{StepMoveKind::this_warp};
  other.warp = 5;
  block.move(other, {});
  EXPECT_EQ(block.shown().last->warp, 5u);
  EXPECT_FALSE(block.shown().timeline) << "its course is another one now";
  look_around(block);
  EXPECT_TRUE(block.shown().timeline);
}

TEST(SteppedBlockOfTheView, ABadConditionIsToldAndStopsNowhere) {
  StepOrder order = order_for("reduce_shared");
  SteppedBlock block = opened(order);
  StepWants wants;
  wants.breakpoints = {{order.request->module->source_name, 13, "lane =="}};
  block.want(wants);
  ASSERT_EQ(block.shown().breakpoints.size(), 1u);
  EXPECT_FALSE(block.shown().breakpoints[0].second.empty());
  wants.breakpoints[0].condition = "lane == 9";
  block.want(wants);
  EXPECT_EQ(block.shown().breakpoints[0].second, "");
  EXPECT_EQ(block.move({StepMoveKind::next_stop}, {}), 9u);
}

}  // namespace THIS_FILE
}  // namespace warplens
