// The worker of the Step view and the state that asks it.
#include "app/worker/step_worker.h"

#include <gtest/gtest.h>

#include "tests/app/driven_state.h"

namespace warplens {
namespace THIS_FILE {

// The end of the look-ahead is reported too. A move that was requested in the meantime has not ended then.
TEST(StepWorker, AMoveIsUnderWayUntilItsOwnNews) {
  DrivenState stepping;
  const StepState& step = stepping.state.step;
  for (uint32_t warps = 1; warps <= 16; ++warps) {
    stepping.push(SetBlock{{32 * warps, 1, 1}});
    ASSERT_TRUE(stepping.until([&] {
      return stepping.state.runs.now.wanted == 0 && stepping.state.runs.result &&
             stepping.state.runs.result->shape.block.x == 32 * warps;
    }));
    stepping.push(OpenStep{});
    ASSERT_TRUE(stepping.until([&] { return step.shown != nullptr; }));
    StepMove move{StepMoveKind::to_position};
    move.value = 3 + warps;
    stepping.push(StepBy{move});
    EXPECT_TRUE(step.moving);
    ASSERT_TRUE(stepping.until([&] { return !step.moving; }));
    EXPECT_EQ(step.shown->position, 3 + warps);
  }
}

// During an update, the worker is asked whether a position is the end before it gets the next request.
TEST(StepWorker, APlaceReachedBeforeALaterMoveIsNoEnd) {
  const auto ends = [](size_t count, bool busy) {
    const std::vector<Action> news(count, StepShown{1, std::make_shared<const StepSnapshot>(), false, {}});
    std::vector<bool> all;
    for (const Action& action : without_early_ends(news, busy)) all.push_back(!as<StepShown>(action)->more);
    return all;
  };
  EXPECT_EQ(ends(1, false), std::vector<bool>{true});
  EXPECT_EQ(ends(1, true), std::vector<bool>{false});
  EXPECT_EQ(ends(3, false), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(ends(3, true), (std::vector<bool>{false, false, false}));
}

}  // namespace THIS_FILE
}  // namespace warplens
