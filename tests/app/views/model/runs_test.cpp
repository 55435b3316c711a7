#include "app/views/model/runs.h"

#include <gmock/gmock.h>

#include "app/state/parts/sweeps.h"
#include "app/state/update.h"
#include "app/views/model/baseline.h"
#include "app/views/model/run_differences.h"
#include "core/job/sweep.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

RunRecord record(uint64_t serial, const char* label, Dim3 block, double kernel_us, uint64_t sectors) {
  RunRecord run;
  run.serial = serial;
  run.label = label;
  run.block = block;
  run.choice.setup.kernel = "grayscale";
  run.time.kernel = kernel_us;
  run.sectors = sectors;
  run.counters.emplace();
  run.counters->warp_instructions = 1000;
  run.occupancy_percent = 100;
  return run;
}

const RunFigure* figure(const RunComparison& comparison, const std::string& name) {
  for (const RunFigure& f : comparison.figures)
    if (f.name == name) return &f;
  return nullptr;
}

TEST(Runs, EveryFigureHasItsRatioAndItsVerdict) {
  const RunComparison c =
      compare_runs(record(1, "A", {16, 16, 1}, 10, 1000), record(2, "B", {1, 256, 1}, 25, 8000));
  const RunFigure *kernel = figure(c, "kernel"), *sectors = figure(c, "global sectors");
  ASSERT_TRUE(kernel && sectors);
  EXPECT_EQ(kernel->ratio_text, "2.5 ×");
  EXPECT_EQ(kernel->better, -1);
  EXPECT_EQ(kernel->source, Provenance::modelled);
  EXPECT_EQ(sectors->source, Provenance::counted);
  EXPECT_DOUBLE_EQ(*sectors->ratio, 8);
  EXPECT_EQ(figure(c, "occupancy")->ratio_text, "=");
  EXPECT_EQ(figure(c, "occupancy")->better, 0);
  EXPECT_THAT(c.sentence, testing::AllOf(HasSubstr("2.5 times as long as A's"), HasSubstr("global sectors")));
  EXPECT_EQ(figure(c, "bank conflicts"), nullptr) << "neither has any";
}

TEST(Runs, TimesSayWhetherTheyWereMeasured) {
  RunRecord a = record(1, "A", {256, 1, 1}, 10, 1000), b = record(2, "B", {128, 1, 1}, 4, 1000);
  EXPECT_EQ(source_of_times({}), Provenance::modelled);
  EXPECT_EQ(source_of_times({a, b}), Provenance::modelled);
  EXPECT_EQ(time_words(a, Provenance::modelled), "10 µs");
  b.time.source = Provenance::measured;
  EXPECT_EQ(source_of_times({a, b}), Provenance::measured);
  EXPECT_EQ(time_words(a, Provenance::measured), "≈ 10 µs") << "the model's among measured ones";
  EXPECT_EQ(time_words(b, Provenance::measured), "4 µs");
  EXPECT_EQ(figure(compare_runs(a, b), "kernel")->source, Provenance::modelled);
  a.time.source = Provenance::measured;
  EXPECT_EQ(figure(compare_runs(a, b), "kernel")->source, Provenance::measured);
  EXPECT_EQ(figure(compare_runs(a, b), "copies"), nullptr);
  b.time.kernel.reset();
  EXPECT_EQ(time_words(b, Provenance::measured), "–");
}

TEST(Runs, WhatIsNotKnownHasNoRatio) {
  RunRecord a = record(1, "A", {16, 16, 1}, 10, 1000), b = a;
  b.time.kernel.reset();
  const RunComparison c = compare_runs(a, b);
  EXPECT_EQ(figure(c, "kernel")->b, "–");
  EXPECT_FALSE(figure(c, "kernel")->ratio.has_value());
  EXPECT_THAT(c.sentence, HasSubstr("not known"));
}

TEST(Runs, TheShownRunIsHeldAgainstTheChosenElseTheOneBefore) {
  AppState state;
  EXPECT_EQ(shown_run(state), nullptr);
  EXPECT_EQ(compared_run(state), nullptr);
  for (const uint64_t serial : {3u, 2u, 1u})
    state.runs.history.push_back(record(serial, "X", {16, 16, 1}, 10, 10));
  state.runs.now.shown = 3;
  EXPECT_EQ(compared_run(state)->serial, 2u);
  update(state, PinBaseline{1});
  EXPECT_EQ(compared_run(state)->serial, 1u);
  update(state, PinBaseline{77});
  EXPECT_EQ(compared_run(state)->serial, 1u) << "there is no such run";
  state.runs.history.pop_back();
  EXPECT_EQ(compared_run(state)->serial, 1u) << "it stays when the history forgets it";
  state.runs.history.push_back(record(1, "X", {16, 16, 1}, 10, 10));
  update(state, PinBaseline{3});
  EXPECT_EQ(compared_run(state)->serial, 2u) << "not against itself";
  EXPECT_EQ(baseline_of(state), nullptr);
  state.runs.now.shown = 1;
  update(state, PinBaseline{0});
  EXPECT_EQ(compared_run(state)->serial, 2u) << "the first run against its successor";
}

TEST(Runs, ARatioNamesTheBaseline) {
  EXPECT_EQ(against(3, 2, "A"), "1.5 × A");
  EXPECT_EQ(against(2, 2, "A"), "= A");
  EXPECT_EQ(against(0, 0, "A"), "= A");
  EXPECT_EQ(against(1, 0, "A"), "") << "no infinite ratio";
  EXPECT_EQ(against(std::nullopt, 2, "A"), "");
  EXPECT_EQ(against(2, std::nullopt, "A"), "");
}

TEST(Runs, EqualLaunchesAreToldApartByWhatDiffers) {
  RunRecord a = record(1, "A", {16, 16, 1}, 10, 1000), b = a, c = a, other = a;
  b.choice.setup.image_path = "photos/chelsea.png";
  c.choice.setup.data_seed = 7;
  other.choice.setup.kernel = "vector_add";
  EXPECT_EQ(run_differences({a}), std::vector<std::string>{""});
  EXPECT_EQ(run_differences({other, a}), (std::vector<std::string>{"", ""})) << "another kernel";
  EXPECT_EQ(run_differences({c, b, a}),
            (std::vector<std::string>{"seed 7", "chelsea.png, seed 1", "seed 1"}));
  EXPECT_EQ(run_words(b, "chelsea.png"), "A · grayscale · 16 × 16 · chelsea.png");
  RunRecord few = other, many = other;
  many.choice.setup.values["n"] = 20'000;
  EXPECT_EQ(run_differences({many, few}), (std::vector<std::string>{"n 20,000", "n 10,000"}));
}

TEST(Runs, TextsOfAnOwnKernelAreNumberedFromTheOldest) {
  const auto own = [](const char* text) {
    RunRecord run = record(1, "A", {32, 1, 1}, 10, 1000);
    KernelDescription kernel;
    kernel.own = true;
    kernel.source = text;
    run.choice.setup.kernel = "blur.cu";
    run.choice.own = std::make_shared<const KernelDescription>(kernel);
    return run;
  };
  EXPECT_EQ(run_differences({own("b"), own("a"), own("b"), own("a")}),
            (std::vector<std::string>{"text 2", "text 1", "text 2", "text 1"}));
}

TEST(Runs, UndoSaysWhatItWouldChange) {
  auto state = initial_state("vector_add", "3060");
  ASSERT_TRUE(state);
  EXPECT_EQ(undo_words(*state), "");
  update(*state, SetBlock{{64, 1, 1}});
  EXPECT_EQ(undo_words(*state), "block 64 → 256");
  update(*state, Undo{});
  EXPECT_EQ(redo_words(*state), "block 256 → 64");
  update(*state, SetValue{"n", 1234});
  EXPECT_THAT(undo_words(*state), HasSubstr("n"));
}

TEST(Sweeps, AreDueWhenWhatTheyDependOnChanges) {
  auto state = initial_state("vector_add", "3060");
  ASSERT_TRUE(state);
  for (const SweepKind kind : {SweepKind::blocks, SweepKind::sizes}) {
    EXPECT_TRUE(sweep_is_due(*state, kind));
    update(*state, WantSweep{kind});
    EXPECT_FALSE(sweep_is_due(*state, kind));
    EXPECT_TRUE(state->sweeps[static_cast<size_t>(kind)].wanted);
  }
  update(*state, SetBlock{{64, 1, 1}});
  EXPECT_FALSE(sweep_is_due(*state, SweepKind::blocks)) << "64 is one of the usual shapes";
  update(*state, SetBlock{{100, 1, 1}});
  EXPECT_TRUE(sweep_is_due(*state, SweepKind::blocks)) << "today's shape is always in the plot";
  update(*state, WantSweep{SweepKind::blocks});
  EXPECT_FALSE(sweep_is_due(*state, SweepKind::blocks));
  update(*state, SetBlock{{64, 1, 1}});
  EXPECT_FALSE(sweep_is_due(*state, SweepKind::blocks));
  EXPECT_TRUE(sweep_is_due(*state, SweepKind::sizes));
  update(*state, WantSweep{SweepKind::sizes});
  update(*state, SetValue{"n", 5000});
  EXPECT_TRUE(sweep_is_due(*state, SweepKind::blocks));
  EXPECT_FALSE(sweep_is_due(*state, SweepKind::sizes)) << "a sweep over sizes sets the size itself";
  update(*state, ChooseDevice{"h200"});
  EXPECT_TRUE(sweep_is_due(*state, SweepKind::sizes));
}

TEST(Sweeps, TakeNewsOfTheirOwnOrderOnly) {
  auto state = initial_state("vector_add", "3060");
  ASSERT_TRUE(state);
  update(*state, WantSweep{SweepKind::blocks});
  SweepState& sweep = state->sweeps[0];
  auto points = std::make_shared<Sweep>();
  points->wanted = 2;
  points->points.resize(1);
  update(*state, SweepProgressed{sweep.serial + 1, SweepKind::blocks, points, ""});
  EXPECT_EQ(sweep.result, nullptr);
  update(*state, SweepProgressed{sweep.serial, SweepKind::blocks, points, ""});
  EXPECT_EQ(sweep.result, points);
  EXPECT_TRUE(sweep.wanted);
  auto all = std::make_shared<Sweep>(*points);
  all->points.resize(2);
  update(*state, SweepProgressed{sweep.serial, SweepKind::blocks, all, ""});
  EXPECT_FALSE(sweep.wanted);
  update(*state, CancelSweeps{});
  EXPECT_FALSE(state->effects.newest<effect::CancelSweeps>()) << "nothing was under way";
}

}  // namespace THIS_FILE
}  // namespace warplens
