#include <gtest/gtest.h>

#include <algorithm>

#include "app/state/frame/commands.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

AppState live_state(const std::string& kernel) {
  AppState state = *initial_state(kernel, "");
  update(state, Tick{100, 60});
  update(state, SetLive{true});
  LiveReport report;
  report.shown = true;
  update(state, LiveReported{report});
  return state;
}

TEST(Live, RestsUntilANumberMovesAndAgainWhenItStops) {
  AppState state = live_state("mandelbrot");
  EXPECT_EQ(state.frame.view, View::image);
  EXPECT_FALSE(state.live.playing);
  EXPECT_FALSE(live_moves(state));
  update(state, SetValue{"scale", 0.001, true});
  EXPECT_TRUE(live_moves(state));
  update(state, Tick{100 + live_settle_s + 0.01, 60});
  EXPECT_FALSE(live_moves(state)) << "the full run may go now";
  update(state, PlayLive{true});
  EXPECT_TRUE(live_moves(state));
  update(state, ShowView{View::grid});
  EXPECT_FALSE(live_moves(state)) << "nobody sees it";
}

TEST(Live, HoldsNothingUpBeforeItHasAPicture) {
  AppState state = *initial_state("mandelbrot", "");
  update(state, SetLive{true});
  update(state, PlayLive{true});
  EXPECT_FALSE(live_moves(state));
}

TEST(Live, ADragIsOneStepOfUndo) {
  AppState state = live_state("mandelbrot");
  for (const double scale : {0.003, 0.002, 0.001}) update(state, SetValue{"scale", scale, true});
  update(state, EndGesture{});
  update(state, Undo{});
  EXPECT_FALSE(state.setup.launch.values.contains("scale"));
  EXPECT_TRUE(state.undo.done.empty());
}

TEST(Live, EndsWithTheReason) {
  AppState state = live_state("mandelbrot");
  update(state, LiveFailed{"It faulted."});
  EXPECT_FALSE(state.live.on);
  EXPECT_FALSE(state.live.report.shown);
  ASSERT_FALSE(state.problems.notices.empty());
  EXPECT_EQ(state.problems.notices.front().message, "It faulted.");
}

TEST(Live, IsACommandWithAKey) {
  AppState state = *initial_state("mandelbrot", "");
  const auto command = [&](const std::string& title) {
    const auto all = all_commands(state);
    return *std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.title == title; });
  };
  EXPECT_EQ(key_text(command("Live picture").key), "F6");
  EXPECT_FALSE(command("Let the live picture move").enabled);
  update(state, command("Live picture").action);
  EXPECT_TRUE(state.live.on);
  EXPECT_TRUE(command("Live picture").checked);
  EXPECT_TRUE(command("Let the live picture move").enabled);
}

}  // namespace THIS_FILE
}  // namespace warplens
