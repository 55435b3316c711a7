// Predict, then reveal, outside of lessons.
#include "app/state/parts/predict.h"

#include <gtest/gtest.h>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

// A run of what is set has ended, with these counts.
void finish(AppState& state, uint64_t sectors = 100, double kernel_us = 5) {
  const uint64_t serial = state.runs.now.wanted;
  RunResult result;
  result.status = RunStatus::ok;
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = state.setup.launch.kernel;
  request->device = state.setup.device;
  result.request = request;
  result.shape = state.setup.outlook.shape;
  result.counters.emplace();
  result.counters->global_load_sectors = sectors;
  result.time.kernel = kernel_us;
  update(state, RunStarted{serial});
  update(state, RunFinished{serial, state.setup.launch, std::make_shared<const RunResult>(result), ""});
}

AppState predicting() {
  AppState state = *initial_state("vector_add", "");
  update(state, SetValue{"n", 1000});
  update(state, SetBlock{{256, 1, 1}});
  finish(state);
  update(state, SetPredict{true});
  return state;
}

TEST(Predict, AChangeHidesFiguresUntilOneIsGuessed) {
  AppState state = predicting();
  EXPECT_FALSE(is_hidden(state, "launch.blocks"));
  update(state, SetBlock{{64, 1, 1}});
  EXPECT_EQ(state.predict.phase, PredictPhase::asking);
  for (const char* name :
       {"launch.blocks", "occupancy.percent", "counters.global_load_sectors", "time.kernel"})
    EXPECT_TRUE(is_hidden(state, name)) << name;
  EXPECT_NE(predicted_figure(state.predict.figure), nullptr);
  finish(state);
  EXPECT_EQ(state.predict.phase, PredictPhase::asking) << "the run gives nothing away";
  const double truth = predicted_figures(state).at(state.predict.figure);
  update(state, Guess{truth * 1.05});
  EXPECT_EQ(state.predict.phase, PredictPhase::known);
  EXPECT_TRUE(state.predict.right) << "within a tenth";
  EXPECT_EQ(*state.predict.truth, truth);
  EXPECT_FALSE(is_hidden(state, "launch.blocks"));
  EXPECT_EQ(state.progress.predictions, 1u);
  EXPECT_EQ(state.progress.right, 1u);
}

TEST(Predict, AFigureOfTheRunWaitsForTheRun) {
  AppState state = predicting();
  update(state, SetSeed{77});  // changes nothing of the launch
  ASSERT_EQ(state.predict.phase, PredictPhase::asking);
  EXPECT_TRUE(predicted_figure(state.predict.figure)->of_run);
  update(state, Guess{1e9});
  EXPECT_EQ(state.predict.phase, PredictPhase::waiting);
  finish(state, 200, 7);
  EXPECT_EQ(state.predict.phase, PredictPhase::known);
  EXPECT_FALSE(state.predict.right);
}

TEST(Predict, ShowingItCountsNothing) {
  AppState state = predicting();
  update(state, SetBlock{{64, 1, 1}});
  finish(state);
  update(state, Guess{});
  EXPECT_EQ(state.predict.phase, PredictPhase::known);
  EXPECT_EQ(state.progress.predictions, 0u);
  EXPECT_FALSE(is_hidden(state, "launch.blocks"));
}

TEST(Predict, OffHidesNothing) {
  AppState state = predicting();
  update(state, SetBlock{{64, 1, 1}});
  update(state, SetPredict{false});
  EXPECT_FALSE(is_hidden(state, "launch.blocks"));
  update(state, SetBlock{{32, 1, 1}});
  EXPECT_EQ(state.predict.phase, PredictPhase::idle);
}

TEST(Predict, NearIsWithinATenth) {
  EXPECT_TRUE(is_near(110, 100));
  EXPECT_FALSE(is_near(111, 100));
  EXPECT_TRUE(is_near(0, 0));
  EXPECT_FALSE(is_near(-100, 100));
}

}  // namespace THIS_FILE
}  // namespace warplens
