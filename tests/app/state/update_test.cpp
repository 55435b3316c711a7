#include "app/state/update.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens {
namespace THIS_FILE {

// Works without a picture, so that no file is needed.
AppState start(const std::string& kernel = "vector_add") {
  auto state = initial_state(kernel, "");
  EXPECT_TRUE(state) << (state ? "" : state.error().message);
  return state ? *std::move(state) : AppState{};
}

std::shared_ptr<RunResult> result_of(const AppState& state) {
  auto result = std::make_shared<RunResult>();
  LaunchRequest request;
  request.kernel = state.setup.launch.kernel;
  request.device = state.setup.device;
  LaunchStep launch;
  launch.grid = state.setup.outlook.shape.grid;
  launch.block = state.setup.outlook.shape.block;
  request.steps.push_back(launch);
  request.buffers.push_back({});
  request.buffers[0].bytes = 4096;
  request.buffers[0].dtype = DType::f32;
  result->request = std::make_shared<const LaunchRequest>(request);
  result->shape = state.setup.outlook.shape;
  result->counters = Counters{};
  result->counters->global_load_sectors = 100;
  result->counters->global_store_sectors = 20;
  return result;
}

void finish(AppState& state, std::shared_ptr<const RunResult> result = nullptr) {
  const uint64_t serial = state.runs.now.wanted;
  ASSERT_NE(serial, 0u);
  update(state, RunStarted{serial});
  update(state, RunFinished{serial, state.setup.launch, result ? result : result_of(state), ""});
}

TEST(Update, AsksForAFirstRun) {
  const AppState state = start();
  EXPECT_NE(state.runs.now.wanted, 0u);
  EXPECT_EQ(state.setup.outlook.error, "");
  EXPECT_FALSE(initial_state("no such kernel", ""));
  EXPECT_FALSE(initial_state("", "no such device"));
}

TEST(Update, WhatIsLearnedOfARunLaterChangesFiguresAndNothingElse) {
  AppState state = start();
  finish(state);
  const uint64_t serial = state.runs.now.shown;
  update(state, Pin{Pick{Dim3{0, 0, 0}, {}, {}, 0}});
  auto more = std::make_shared<RunResult>(*state.runs.result);
  more->counters->dram_read_bytes = 77;
  more->time.kernel = 5;
  update(state, RunRefined{serial, more});
  EXPECT_EQ(state.runs.result, more);
  EXPECT_EQ(state.runs.now.shown, serial);
  EXPECT_TRUE(state.selection.pinned.block.has_value());
  ASSERT_EQ(state.runs.history.size(), 1u);
  EXPECT_EQ(state.runs.history[0].time.kernel, 5);
  EXPECT_EQ(state.runs.history[0].counters->dram_read_bytes, 77u);
  // An older run is reported only in the history.
  update(state, RunAgain{});
  finish(state);
  const auto shown = state.runs.result;
  auto late = std::make_shared<RunResult>(*more);
  late->time.kernel = 6;
  update(state, RunRefined{serial, late});
  EXPECT_EQ(state.runs.result, shown);
  EXPECT_EQ(state.runs.history[1].time.kernel, 6);
}

TEST(Update, WaitsForThePictureOfAKernelThatNeedsOne) {
  AppState state = start("grayscale");
  EXPECT_EQ(state.runs.now.wanted, 0u);
  ASSERT_TRUE(state.effects.newest<effect::LoadPicture>());
  EXPECT_TRUE(state.problems.all.empty()) << "waiting is no problem";
  auto image = std::make_shared<Image>();
  image->width = 40;
  image->height = 30;
  image->pixels.resize(3600);
  update(state, PictureLoaded{"x.png", image});
  EXPECT_NE(state.runs.now.wanted, 0u);
  EXPECT_EQ(state.setup.outlook.shape.grid, (Dim3{3, 2, 1}));
  EXPECT_TRUE(state.undo.done.empty()) << "the first picture is no step that one undoes";
}

TEST(Update, AChangeAsksForARunAndTheGridFollows) {
  AppState state = start();
  finish(state);
  EXPECT_EQ(state.runs.now.wanted, 0u);
  const Dim3 before = state.setup.launch.grid;
  update(state, SetBlock{{state.setup.launch.block.x / 2, 1, 1}});
  EXPECT_NE(state.runs.now.wanted, 0u);
  EXPECT_FALSE(state.runs.now.stale_because.empty());
  EXPECT_GE(state.setup.launch.grid.x, before.x * 2 - 1);
  const uint64_t wanted = state.runs.now.wanted;
  update(state, SetBlock{state.setup.launch.block});
  EXPECT_EQ(state.runs.now.wanted, wanted) << "no change, no run";
}

TEST(Update, ASupersededResultIsNotShown) {
  AppState state = start();
  const uint64_t old = state.runs.now.wanted;
  update(state, SetBlock{{64, 1, 1}});
  update(state, RunFinished{old, state.setup.launch, result_of(state), ""});
  EXPECT_EQ(state.runs.result, nullptr);
  finish(state);
  EXPECT_NE(state.runs.result, nullptr);
  EXPECT_EQ(state.runs.history.size(), 1u);
}

TEST(Update, UndoAndRedoGoThroughKernelDeviceAndBlock) {
  AppState state = start();
  const Dim3 block = state.setup.launch.block;
  update(state, SetBlock{{96, 1, 1}});
  update(state, ChooseKernel{"matmul_tiled"});
  const std::string device = state.setup.device.id;
  update(state, ChooseDevice{built_in_devices().back().id});
  update(state, Undo{});
  EXPECT_EQ(state.setup.device.id, device);
  update(state, Undo{});
  EXPECT_EQ(state.setup.launch.kernel, "vector_add");
  EXPECT_EQ(state.setup.kernel->name, "vector_add");
  EXPECT_EQ(state.setup.launch.block, (Dim3{96, 1, 1}));
  update(state, Undo{});
  EXPECT_EQ(state.setup.launch.block, block);
  update(state, Undo{});
  update(state, Redo{});
  EXPECT_EQ(state.setup.launch.block, (Dim3{96, 1, 1}));
  update(state, SetBlock{{32, 1, 1}});
  EXPECT_TRUE(state.undo.undone.empty());
}

TEST(Update, TheOrderOfWarpsIsUndoneAndRedone) {
  AppState state = start();
  update(state, SetOrder{7});
  update(state, SetOrder{8, true});
  update(state, SetOrder{9, true});
  update(state, EndGesture{});
  update(state, Undo{});
  EXPECT_EQ(state.setup.order, 7u) << "a drag is one step";
  update(state, Undo{});
  EXPECT_EQ(state.setup.order, 0u);
  update(state, Redo{});
  EXPECT_EQ(state.setup.order, 7u);
}

TEST(Update, ADragIsOneUndoStepAndOneEntryOfTheHistory) {
  AppState state = start();
  finish(state);
  for (uint32_t x = 33; x < 40; ++x) {
    update(state, SetBlock{{x, 1, 1}, true});
    finish(state);
  }
  update(state, EndGesture{});
  EXPECT_EQ(state.undo.done.size(), 1u);
  EXPECT_EQ(state.runs.history.size(), 2u);
  update(state, SetBlock{{41, 1, 1}, true});
  EXPECT_EQ(state.undo.done.size(), 2u) << "a new drag is a new step";
}

TEST(Update, ACancelledRunLeavesWhatWasShown) {
  AppState state = start();
  finish(state);
  const auto before = state.runs.result;
  update(state, RunAgain{});
  const uint64_t serial = state.runs.now.wanted;
  update(state, RunStarted{serial});
  update(state, CancelRun{});
  EXPECT_TRUE(state.effects.newest<effect::CancelRun>());
  auto cancelled = result_of(state);
  cancelled->status = RunStatus::cancelled;
  update(state, RunFinished{serial, state.setup.launch, cancelled, ""});
  EXPECT_EQ(state.runs.result, before);
  EXPECT_EQ(state.runs.now.phase, RunPhase::idle);
  EXPECT_FALSE(state.runs.now.stale_because.empty());
}

TEST(Update, AFailedRunIsASentenceAmongTheProblems) {
  AppState state = start();
  update(state, RunFinished{state.runs.now.wanted, state.setup.launch, nullptr, "The PTX has no entry."});
  ASSERT_EQ(state.problems.notices.size(), 1u);
  EXPECT_EQ(state.problems.notices[0].message, "The PTX has no entry.");
  update(state, DismissNotice{state.problems.notices[0].notice});
  EXPECT_TRUE(state.problems.notices.empty());
}

TEST(Update, ARefusedLaunchHasCudasNameAndAFix) {
  AppState state = start("grayscale");
  auto image = std::make_shared<Image>();
  image->width = image->height = 64;
  image->pixels.resize(64 * 64 * 3);
  update(state, PictureLoaded{"x", image});
  update(state, SetBlock{{32, 33, 1}});
  ASSERT_FALSE(state.problems.all.empty());
  const Problem refused = state.problems.all.front();
  EXPECT_EQ(refused.title, "cudaErrorInvalidConfiguration");
  EXPECT_FALSE(refused.consequence.empty());
  ASSERT_TRUE(refused.fix.has_value());
  update(state, ApplyFix{*refused.fix});
  EXPECT_FALSE(state.setup.outlook.refusal.has_value());
  EXPECT_TRUE(state.setup.launch.fit_grid);
}

TEST(Update, RestoresARunWithItsResult) {
  AppState state = start();
  finish(state);
  const auto first = state.runs.result;
  const Dim3 block = state.setup.launch.block;
  update(state, SetBlock{{64, 1, 1}});
  finish(state);
  ASSERT_EQ(state.runs.history.size(), 2u);
  EXPECT_EQ(state.runs.history[1].label, "A");
  EXPECT_EQ(state.runs.history[0].sectors, 120u);
  update(state, RestoreRun{state.runs.history[1].serial});
  EXPECT_EQ(state.runs.result, first);
  EXPECT_EQ(state.setup.launch.block, block);
  EXPECT_EQ(state.runs.now.wanted, 0u) << "its result is still there";
  EXPECT_TRUE(state.runs.now.stale_because.empty());
}

TEST(Update, OldRunsGiveUpTheirBuffersButNotTheirFigures) {
  AppState state = start();
  for (int i = 0; i < 12; ++i) {
    update(state, RunAgain{});
    finish(state);
  }
  EXPECT_NE(state.runs.history.front().result, nullptr);
  EXPECT_EQ(state.runs.history.back().result, nullptr);
  EXPECT_EQ(state.runs.history.back().sectors, 120u);
  update(state, RestoreRun{state.runs.history.back().serial});
  EXPECT_NE(state.runs.now.wanted, 0u) << "it runs again";
}

TEST(Update, AReplayThatFailsIsSaidAndForgotten) {
  AppState state = start();
  finish(state);
  update(state, Pin{{Dim3{1, 0, 0}, std::nullopt, std::nullopt}});
  update(state, FootprintReady{state.runs.now.shown, nullptr, "The replay found no memory."});
  EXPECT_EQ(state.footprint.error, "The replay found no memory.");
  update(state, Pin{{Dim3{0, 0, 0}, std::nullopt, std::nullopt}});
  EXPECT_TRUE(state.footprint.error.empty()) << "another block";
}

TEST(Update, TheMemoryViewShowsTheFirstBlockWhereNoneIsChosen) {
  AppState state = start();
  finish(state);
  EXPECT_FALSE(state.footprint.wanted);
  update(state, ShowView{View::memory});
  ASSERT_TRUE(state.footprint.wanted);
  EXPECT_EQ(*state.footprint.wanted, (Dim3{0, 0, 0}));
  Pick line;
  line.line = 7;
  update(state, Pin{line});
  EXPECT_EQ(*state.footprint.wanted, (Dim3{0, 0, 0})) << "a line alone has no block";
  update(state, Pin{{Dim3{1, 0, 0}, std::nullopt, std::nullopt}});
  EXPECT_EQ(*state.footprint.wanted, (Dim3{1, 0, 0}));
  update(state, Unpin{});
  update(state, ShowView{View::grid});
  EXPECT_FALSE(state.footprint.wanted);
}

TEST(Update, SelectionAsksForTheFootprintAndLetsGoOfWhatIsGone) {
  AppState state = start();
  finish(state);
  update(state, Pin{{Dim3{1, 0, 0}, Dim3{5, 0, 0}, std::nullopt}});
  ASSERT_TRUE(state.footprint.wanted.has_value());
  EXPECT_EQ(*state.footprint.wanted, (Dim3{1, 0, 0}));
  auto footprint = std::make_shared<BlockFootprint>();
  footprint->block = {0, 0, 0};
  update(state, FootprintReady{state.runs.now.shown, footprint, ""});
  EXPECT_EQ(state.footprint.replayed, nullptr) << "another block's";
  footprint->block = {1, 0, 0};
  update(state, FootprintReady{state.runs.now.shown, footprint, ""});
  EXPECT_EQ(state.footprint.replayed, footprint);
  update(state, SetBlock{{4, 1, 1}});
  finish(state);
  EXPECT_TRUE(state.selection.pinned.block.has_value());
  EXPECT_FALSE(state.selection.pinned.thread.has_value()) << "blocks have four threads now";
  EXPECT_EQ(state.footprint.replayed, nullptr);
  update(state, Unpin{});
  EXPECT_TRUE(state.selection.pinned.empty());
  EXPECT_FALSE(state.footprint.wanted.has_value());
}

TEST(Update, ClickingAProblemPinsItsThread) {
  AppState state = start();
  auto result = result_of(state);
  result->status = RunStatus::fault;
  Incident fault;
  fault.kind = IncidentKind::out_of_bounds;
  fault.block = {3, 0, 0};
  fault.thread = {16, 0, 0};
  fault.file = "a/b/vector_add.cu";
  fault.line = 4;
  result->faults.push_back(fault);
  finish(state, result);
  ASSERT_EQ(state.problems.all.front().id, "out_of_bounds");
  update(state, SelectProblem{0});
  EXPECT_EQ(state.selection.pinned.block, (Dim3{3, 0, 0}));
  EXPECT_EQ(state.selection.pinned.thread, (Dim3{16, 0, 0}));
  update(state, SelectProblem{999});
}

TEST(Update, TakesNoNonsense) {
  AppState state = start();
  update(state, SetBlock{{0, 0, 0}});
  EXPECT_EQ(state.setup.launch.block, (Dim3{1, 1, 1}));
  const auto values = state.setup.launch.values;
  update(state, SetValue{"n", std::nan("")});
  EXPECT_EQ(state.setup.launch.values, values);
  update(state, SetValue{"n", -5});
  EXPECT_FALSE(state.setup.outlook.error.empty());
  EXPECT_EQ(state.runs.now.wanted, 0u) << "there is nothing to run";
  EXPECT_EQ(state.problems.all.front().id, "no_launch");
  update(state, SetTextScale{std::nanf("")});
  EXPECT_EQ(state.frame.preferences.text_scale, 1.0f);
  update(state, SetTextScale{99});
  EXPECT_EQ(state.frame.preferences.text_scale, max_text_scale);
  update(state, RestoreRun{12345});
  update(state, ChooseDevice{"no such"});
  update(state, ChooseKernel{"no such"});
  EXPECT_EQ(state.problems.notices.size(), 1u);
}

TEST(Update, LabelsRunsLikeColumns) {
  EXPECT_EQ(run_label(0), "A");
  EXPECT_EQ(run_label(25), "Z");
  EXPECT_EQ(run_label(26), "AA");
  EXPECT_EQ(run_label(701), "ZZ");
  EXPECT_EQ(run_label(702), "AAA");
}

RealGpus one_gpu() {
  Device device = built_in_devices().front();
  device.id = "cuda:0";
  device.is_virtual = false;
  return {{device}, ""};
}

// After a fault, a driver can take a minute to start a run, and no user waits that long for an empty window.
TEST(Update, TheFirstPictureDoesNotWaitForTheRealGpu) {
  AppState state = start();
  const uint64_t first = state.runs.now.wanted;
  update(state, GpusFound{one_gpu()});
  EXPECT_TRUE(state.setup.device.is_virtual);
  EXPECT_EQ(state.runs.now.wanted, first);
  finish(state);
  EXPECT_NE(state.runs.result, nullptr);
  EXPECT_EQ(state.setup.device.id, "cuda:0");
  EXPECT_NE(state.runs.now.wanted, 0u);
  finish(state);
  update(state, ChooseDevice{built_in_devices().front().id});
  EXPECT_TRUE(state.setup.device.is_virtual) << "it is taken once";
}

TEST(Update, TheRealGpuIsUsedAtOnceWhereTheFirstPictureIsThereOrWillNotCome) {
  AppState late = start();
  finish(late);
  update(late, GpusFound{one_gpu()});
  EXPECT_EQ(late.setup.device.id, "cuda:0");

  AppState failed = start();
  update(failed, GpusFound{one_gpu()});
  update(failed, RunFinished{failed.runs.now.wanted, failed.setup.launch, nullptr, "It failed."});
  EXPECT_EQ(failed.setup.device.id, "cuda:0");

  AppState cancelled = start();
  update(cancelled, GpusFound{one_gpu()});
  update(cancelled, CancelRun{});
  EXPECT_EQ(cancelled.setup.device.id, "cuda:0");
}

TEST(Update, ARealGpuThatIsNotThereIsSaidAndAnotherChoiceStays) {
  auto asked = initial_state("vector_add", "cuda:7");
  ASSERT_TRUE(asked);
  update(*asked, GpusFound{one_gpu()});
  finish(*asked);
  ASSERT_FALSE(asked->problems.notices.empty());
  EXPECT_EQ(asked->problems.notices.front().title, "cuda:7 is not there");

  AppState chosen = start();
  update(chosen, GpusFound{one_gpu()});
  update(chosen, ChooseDevice{built_in_devices().back().id});
  finish(chosen);
  EXPECT_EQ(chosen.setup.device.id, built_in_devices().back().id);
}

}  // namespace THIS_FILE
}  // namespace warplens
