// A pinned element stays the same one in the next run, even if its position there is different.
#include "app/state/parts/pins.h"

#include <gtest/gtest.h>

#include "app/state/update.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

uint64_t pixel(const fixture::Gray& gray, uint32_t x, uint32_t y) { return uint64_t{y} * gray.width + x; }

FoundPin found_in(const fixture::Gray& before, const Pick& pick, const fixture::Gray& after,
                  std::string_view text = "") {
  return find_pin(pinned_thing(pick, &before.result, text), after.result, text);
}

TEST(Pins, APixelHasAnotherWriterAfterAChangeOfTheBlock) {
  const auto before = fixture::make_gray(500, 333, {16, 16, 1}),
             after = fixture::make_gray(500, 333, {7, 7, 1});
  const Pick pick = with_writer(before.result, {1, pixel(before, 317, 218)});
  ASSERT_EQ(pick.block, (Dim3{19, 13, 0}));
  const FoundPin found = found_in(before, pick, after);
  EXPECT_EQ(found.lost, "");
  EXPECT_EQ(found.pick.block, (Dim3{45, 31, 0}));
  EXPECT_EQ(found.pick.thread, (Dim3{2, 1, 0}));
  ASSERT_TRUE(found.pick.element);
  EXPECT_EQ(found.pick.element->index, pixel(after, 317, 218));
}

TEST(Pins, APixelThatNobodyWritesHasNoThread) {
  const auto before = fixture::make_gray(64, 48), after = fixture::make_gray(64, 48, {16, 16, 1}, {1, 1, 1});
  const FoundPin found = found_in(before, with_writer(before.result, {1, pixel(before, 40, 40)}), after);
  EXPECT_TRUE(found.pick.element);
  EXPECT_FALSE(found.pick.block);
  EXPECT_FALSE(found.pick.thread);
}

TEST(Pins, APixelStaysAtItsPlaceInAnotherPicture) {
  const auto before = fixture::make_gray(64, 48), after = fixture::make_gray(100, 48),
             small = fixture::make_gray(20, 20);
  const Pick pick = with_writer(before.result, {1, pixel(before, 40, 30)});
  const FoundPin found = found_in(before, pick, after);
  ASSERT_TRUE(found.pick.element);
  EXPECT_EQ(found.pick.element->index, pixel(after, 40, 30)) << "not the same index";
  const FoundPin lost = found_in(before, pick, small);
  EXPECT_TRUE(lost.pick.empty());
  EXPECT_EQ(lost.lost, "(40, 30) of gray is no longer there.");
  // The picture before the kernel has three channels.
  const FoundPin input =
      found_in(before, with_writer(before.result, {0, 3 * pixel(before, 40, 30) + 1}), after);
  ASSERT_TRUE(input.pick.element);
  EXPECT_EQ(input.pick.element->index, 3 * pixel(after, 40, 30) + 1);
}

TEST(Pins, AThreadStaysThatThreadOrIsLetGo) {
  const auto before = fixture::make_gray(), after = fixture::make_gray(64, 48, {8, 8, 1}),
             few = fixture::make_gray(64, 48, {64, 16, 1});
  const Pick pick{Dim3{3, 2, 0}, Dim3{5, 7, 0}, {}, 0};
  EXPECT_EQ(found_in(before, pick, after).pick, pick);
  const FoundPin no_thread = found_in(before, Pick{Dim3{3, 2, 0}, Dim3{12, 7, 0}, {}, 0}, after);
  EXPECT_EQ(no_thread.pick.block, (Dim3{3, 2, 0}));
  EXPECT_FALSE(no_thread.pick.thread);
  EXPECT_EQ(no_thread.lost, "Thread (12, 7, 0) is no longer there: a block has 8 × 8 threads now.");
  const FoundPin no_block = found_in(before, pick, few);
  EXPECT_TRUE(no_block.pick.empty());
  EXPECT_EQ(no_block.lost, "Block (3, 2, 0) is no longer there: the grid has 1 × 3 blocks now.");
}

TEST(Pins, ALineStaysTheLineWithItsText) {
  const auto gray = fixture::make_gray();
  const Pick pick{{}, {}, {}, 2};
  const PinnedThing thing = pinned_thing(pick, &gray.result, "one\ntwo\nthree\n");
  const auto line_in = [&](std::string_view text) { return find_pin(thing, gray.result, text).pick.line; };
  EXPECT_EQ(line_in("one\ntwo\nthree\n"), 2u);
  EXPECT_EQ(line_in("new\none\ntwo\nthree\n"), 3u) << "a line was added above";
  EXPECT_EQ(line_in("two\nthree"), 1u);
  EXPECT_EQ(line_in("two\na\nb\nc"), 1u);
  EXPECT_EQ(line_in("one\ntwice\nthree\n"), 2u) << "the line itself was changed";
  EXPECT_EQ(line_in("one"), 0u);
  fixture::Gray other = fixture::make_gray();
  auto request = std::make_shared<LaunchRequest>(*other.result.request);
  request->kernel = "invert";
  other.result.request = request;
  EXPECT_EQ(find_pin(thing, other.result, "one\ntwo\n").pick.line, 0u) << "another kernel's source";
}

// Through the reducers, as the window does it.
TEST(Pins, WhatALaunchDoesNotHaveComesBackWithTheNextThatDoes) {
  auto started = initial_state("vector_add", "");
  ASSERT_TRUE(started);
  AppState state = *std::move(started);
  const auto run_with = [&](Dim3 block) {
    update(state, SetBlock{block});
    auto gray = fixture::make_gray(64, 48, block);
    auto request = std::make_shared<LaunchRequest>(*gray.result.request);
    request->kernel = state.setup.launch.kernel;
    gray.result.request = request;
    const uint64_t serial = state.runs.now.wanted;
    update(state, RunStarted{serial});
    update(state, RunFinished{serial, state.setup.launch, std::make_shared<RunResult>(gray.result), ""});
  };
  run_with({16, 16, 1});
  const Pick pick{Dim3{1, 1, 0}, Dim3{12, 7, 0}, {}, 0};
  update(state, Pin{pick});
  run_with({8, 8, 1});
  EXPECT_FALSE(state.selection.pinned.thread);
  EXPECT_NE(state.selection.lost, "");
  run_with({16, 16, 1});
  EXPECT_EQ(state.selection.pinned, pick);
  EXPECT_EQ(state.selection.lost, "");
  run_with({8, 8, 1});
  update(state, Unpin{});
  EXPECT_EQ(state.selection.lost, "");
  run_with({16, 16, 1});
  EXPECT_TRUE(state.selection.pinned.empty()) << "let go";
}

}  // namespace THIS_FILE
}  // namespace warplens
