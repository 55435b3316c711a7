// The worker of the Step view and the state that asks it.
#include "app/worker/step_worker.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/state/update.h"
#include "app/worker/drive.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

class SteppingState {
 public:
  AppState state = *initial_state("vector_add", "");

  void push(const Action& action) {
    m_actions.push(action);
    go_on();
  }
  template <class Condition>
  bool until(Condition reached) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!reached() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
      go_on();
    }
    return reached();
  }

 private:
  void go_on() {
    drive(state, m_actions, m_queue, m_memory);
    drive_steps(state, m_steps);
  }
  Actions m_actions;
  RunQueue m_queue{make_worker_calls(), nullptr};
  StepWorker m_steps{nullptr};
  DriveMemory m_memory;
};

// Looking ahead tells of itself, too, when it is done. A move that was asked for in the meantime is still
// under way then.
TEST(StepWorker, AMoveIsUnderWayUntilItsOwnNews) {
  SteppingState stepping;
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

}  // namespace
}  // namespace warplens
