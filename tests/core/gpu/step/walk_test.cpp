// The ways through a block that people ask for.
#include "core/gpu/step/walk.h"

#include "core/device/device.h"
#include "tests/core/gpu/step/support.h"

namespace warplens {
namespace {

using stepping::BlockStepper;
using stepping::Seek;
using stepping::Stop;
using stepping::Why;

LaunchRequest request_for(const char* name, std::map<std::string, double> values = {},
                          std::optional<Dim3> block = {}) {
  const auto kernel = find_kernel(name);
  KernelSetup setup = default_setup(**kernel);
  for (const auto& [key, value] : values) setup.values[key] = value;
  if (block) setup.block = *block;
  Result<LaunchRequest> request = make_request(**kernel, setup, *find_device("3060"));
  EXPECT_TRUE(request) << (request ? "" : request.error().message);
  return std::move(request).value();
}

uint32_t line_of(const BlockStepper& stepper, uint32_t warp) {
  return stepper.warp(warp).paths.back().at.line;
}

TEST(StepWalk, BackByALineUndoesALine) {
  BlockStepper stepper = test::stepper(request_for("reduce_shared", {{"n", 300}}, Dim3{128, 1, 1}));
  std::vector<std::pair<uint64_t, uint32_t>> came{{0, line_of(stepper, 0)}};
  for (int i = 0; i < 12; ++i) {
    stepper.run({stepping::Goal::Kind::line, 0});
    if (stepper.end() != stepping::End::none) break;
    came.emplace_back(stepper.position(), line_of(stepper, 0));
  }
  ASSERT_GT(came.size(), 6u);
  for (size_t i = came.size() - 1; i-- > 0;) {
    stepping::back_by_line(stepper, 0);
    EXPECT_EQ(line_of(stepper, 0), came[i].second) << i;
    EXPECT_LE(stepper.position(), came[i].first);
  }
  stepping::back_by_line(stepper, 0);
  EXPECT_EQ(stepper.position(), 0u) << "before the first line there is nothing";
}

TEST(StepWalk, BackFromTheMiddleOfALineGoesToItsStart) {
  BlockStepper stepper = test::stepper(request_for("reduce_shared", {{"n", 300}}, Dim3{32, 1, 1}));
  stepper.run({stepping::Goal::Kind::line, 0});
  const uint64_t start = stepper.position();
  const uint32_t line = line_of(stepper, 0);
  stepper.run({stepping::Goal::Kind::instruction, 0});
  ASSERT_EQ(line_of(stepper, 0), line) << "a line of one instruction says nothing here";
  stepping::back_by_line(stepper, 0);
  EXPECT_EQ(stepper.position(), start);
}

TEST(StepWalk, FindsWhereLanesPart) {
  BlockStepper stepper = test::stepper(request_for("vector_add"), {39, 0, 0});
  const Stop stop = stepping::seek(stepper, Seek::divergence);
  EXPECT_EQ(stop.why, Why::stepped);
  ASSERT_TRUE(stepper.next());
  EXPECT_EQ(stepper.next()->active, 0x0000ffffu) << "16 of its 32 threads have an element";
  BlockStepper whole = test::stepper(request_for("vector_add"), {0, 0, 0});
  EXPECT_EQ(stepping::seek(whole, Seek::divergence).why, Why::finished) << "nobody parts in a full block";
}

TEST(StepWalk, FindsEachBarrierAndConflict) {
  BlockStepper stepper = test::stepper(request_for("transpose_tiled", {{"width", 64}, {"height", 64}}));
  EXPECT_EQ(stepping::seek(stepper, Seek::barrier).why, Why::stepped);
  ASSERT_TRUE(stepper.next());
  EXPECT_TRUE(stepper.table().instruction(stepper.next()->instruction).barrier);
  EXPECT_EQ(stepping::seek(stepper, Seek::conflict).why, Why::stepped);
  ASSERT_FALSE(stepper.accesses().empty());
  EXPECT_EQ(stepper.accesses().front().space, Space::shared);
  const BlockFootprint footprint = stepping::footprint_of(stepper);
  ASSERT_EQ(footprint.accesses.size(), 1u);
  EXPECT_GT(footprint.accesses[0].wavefronts, 1u);
  BlockStepper padded = test::stepper(request_for("transpose_padded", {{"width", 64}, {"height", 64}}));
  EXPECT_EQ(stepping::seek(padded, Seek::conflict).why, Why::finished) << "the padding leaves none";
}

TEST(StepWalk, FindsWhoWroteAValue) {
  BlockStepper stepper = test::stepper(request_for("reduce_shared", {{"n", 300}}, Dim3{64, 1, 1}));
  stepper.jump(UINT64_MAX);
  const uint64_t end = stepper.position();
  const auto found = stepping::seek_write(stepper, Space::shared, 0, 4);
  ASSERT_TRUE(found);
  ASSERT_LT(stepper.position(), end);
  ASSERT_FALSE(stepper.accesses().empty());
  EXPECT_EQ(stepper.accesses().front().kind, AccessKind::store);
  EXPECT_EQ(stepper.accesses().front().address[0], 0u);
  const uint64_t last = stepper.position();
  ASSERT_TRUE(stepping::seek_write(stepper, Space::shared, 0, 4)) << "the one before";
  EXPECT_LE(stepper.position(), last);
  stepper.jump(0);
  EXPECT_FALSE(stepping::seek_write(stepper, Space::shared, 0, 4)) << "nobody yet";
  EXPECT_EQ(stepper.position(), 0u);
  EXPECT_TRUE(stepper.breakpoints().empty());
}

TEST(StepWalk, AnAccessHasItsBufferAndItsSectors) {
  BlockStepper stepper = test::stepper(request_for("vector_add"));
  while (stepping::footprint_of(stepper).accesses.empty())
    ASSERT_EQ(stepper.run({stepping::Goal::Kind::instructions}).why, Why::stepped);
  const WarpAccess access = stepping::footprint_of(stepper).accesses[0];
  EXPECT_TRUE(access.buffer == 0 || access.buffer == 1) << "x or y: the compiler chooses which comes first";
  EXPECT_EQ(access.offset[1] - access.offset[0], 4u);
  EXPECT_EQ(access.sectors, 4u);
  EXPECT_EQ(access.sectors_ideal, 4u);
}

TEST(StepWalk, TheTimelineHasTheMeanOfItsParts) {
  BlockStepper stepper = test::stepper(request_for("vector_add"), {39, 0, 0});
  EXPECT_EQ(stepping::timeline_of(stepper, 10).length, 0u) << "nothing has run";
  stepper.jump(UINT64_MAX);
  const stepping::Timeline line = stepping::timeline_of(stepper, 7);
  EXPECT_EQ(line.length, *stepper.length());
  ASSERT_EQ(line.active.size(), 7u);
  for (const float lanes : line.active) EXPECT_LE(lanes, 32.0f);
  EXPECT_LT(line.active[0], 32.0f) << "warp 0 has 16 lanes with an element";
  EXPECT_FLOAT_EQ(line.active[6], 32.0f);
  ASSERT_EQ(line.marks.size(), 1u);
  EXPECT_EQ(line.marks[0].kind, stepping::TimelineMark::Kind::divergence);
  EXPECT_EQ(stepping::timeline_of(stepper, 100'000).active.size(), line.length) << "no empty parts";
}

}  // namespace
}  // namespace warplens
