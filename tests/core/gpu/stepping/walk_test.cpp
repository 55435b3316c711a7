// The moves through a block that users ask for.
#include "core/gpu/stepping/walk.h"

#include <algorithm>

#include "core/device/device.h"
#include "core/gpu/stepping/access_log.h"
#include "tests/core/gpu/stepping/support.h"

namespace warplens {
namespace THIS_FILE {

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
  EXPECT_LT(stepper.position(), last);
  EXPECT_EQ(stepping::seek_next_write(stepper, Space::shared, 0, 4).why, Why::watchpoint);
  EXPECT_EQ(stepper.position(), last) << "on again to the write that it came from";
  for (uint64_t before = last; stepping::seek_write(stepper, Space::shared, 0, 4);
       before = stepper.position())
    ASSERT_LT(stepper.position(), before) << "each is an earlier one, down to the first";
  stepper.jump(0);
  EXPECT_FALSE(stepping::seek_write(stepper, Space::shared, 0, 4)) << "nobody yet";
  EXPECT_EQ(stepper.position(), 0u);
  EXPECT_TRUE(stepper.breakpoints().empty());
}

// A watched word that is written far apart, with a window of the search between.
TEST(StepWalk, FindsAWriteFarBack) {
  BlockStepper stepper = test::stepper(request_for("mandelbrot", {{"max_iterations", 2000}}), {20, 20, 0});
  stepper.jump(UINT64_MAX);
  const uint64_t end = stepper.position();
  const stepping::AccessLog log = stepping::log_accesses(stepper, 0, 0, end, 100);
  ASSERT_FALSE(log.accesses.empty());
  const stepping::LoggedAccess& write = log.accesses.front();
  ASSERT_GT(end - write.position, 20'000u) << "more than the first windows";
  stepper.jump(end);
  ASSERT_TRUE(stepping::seek_write(stepper, Space::global, write.address[5], 1));
  EXPECT_EQ(stepper.position(), write.position);
  EXPECT_FALSE(stepping::seek_write(stepper, Space::global, write.address[5], 1)) << "it is written once";
}

TEST(StepWalk, GoesBackToABreakpointAndListsItsStops) {
  BlockStepper stepper = test::stepper(request_for("reduce_shared", {{"n", 300}}, Dim3{64, 1, 1}));
  stepper.jump(UINT64_MAX);
  const uint64_t end = stepper.position();
  EXPECT_FALSE(stepping::back_to_stop(stepper)) << "there is none";
  ASSERT_TRUE(stepper.add({.kind = stepping::Breakpoint::Kind::source_line, .line = 10}));
  const std::vector<uint64_t> stops = stepping::stops_of(stepper, 1000);
  EXPECT_EQ(stepper.position(), end) << "it comes back";
  ASSERT_GT(stops.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(stops));
  for (size_t i = stops.size(); i-- > 0;) {
    ASSERT_TRUE(stepping::back_to_stop(stepper));
    EXPECT_EQ(stepper.position(), stops[i]);
    EXPECT_EQ(stepper.table().instruction(stepper.next()->instruction).line, 10u);
  }
  EXPECT_FALSE(stepping::back_to_stop(stepper));
  EXPECT_EQ(stepper.position(), stops.front());
  EXPECT_EQ(stepping::stops_of(stepper, 2).size(), 2u);
}

TEST(StepWalk, KnowsWhichWarpWroteSharedMemory) {
  BlockStepper stepper = test::stepper(request_for("reduce_shared", {{"n", 300}}, Dim3{64, 1, 1}));
  const auto writer = [&](size_t element) { return int{stepper.shared_writers()[4 * element]}; };
  EXPECT_EQ(writer(0), 0) << "nobody yet";
  stepper.jump(UINT64_MAX);
  EXPECT_EQ(writer(0), 1);
  EXPECT_EQ(writer(40), 2) << "warp 1";
  EXPECT_EQ(writer(100), 0) << "of the 1024 only 64 are used";
  stepper.jump(0);
  EXPECT_EQ(writer(0), 0) << "going back brings back what was known there";
}

TEST(StepWalk, LogsWhatAWarpReadsAndWrites) {
  BlockStepper stepper = test::stepper(request_for("reduce_shared", {{"n", 300}}, Dim3{64, 1, 1}));
  stepper.jump(UINT64_MAX);
  const stepping::AccessLog log = stepping::log_accesses(stepper, 1, 0, stepper.recorded(), 1000);
  EXPECT_EQ(log.covered, stepper.recorded());
  ASSERT_EQ(log.accesses.size(), 2u) << "with 64 threads, warp 0 alone adds";
  const auto arrays = stepping::named_arrays(stepper);
  const stepping::LoggedAccess &read = log.accesses[0], &write = log.accesses[1];
  EXPECT_EQ(read.kind, AccessKind::load);
  EXPECT_EQ(stepping::place_text(arrays, read.space, read.address[1], read.bytes), "x[33]");
  EXPECT_EQ(write.kind, AccessKind::store);
  EXPECT_EQ(stepping::place_text(arrays, write.space, write.address[1], write.bytes), "values[33]");
  EXPECT_EQ(stepping::value_text(arrays, read, 1), stepping::value_text(arrays, write, 1));
  EXPECT_EQ(read.line, write.line);
  for (const stepping::LoggedAccess& access : log.accesses) EXPECT_EQ(access.warp, 1u);
  EXPECT_EQ(stepping::log_accesses(stepper, 1, 0, stepper.recorded(), 1).accesses.size(), 1u);
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

}  // namespace THIS_FILE
}  // namespace warplens
