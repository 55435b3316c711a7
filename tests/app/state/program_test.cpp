// A program's recording in the state: opened in the background, its launches one by one.
#include "app/state/parts/program.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "app/state/files/session.h"
#include "app/state/update.h"
#include "app/views/launch/model.h"
#include "app/worker/drive.h"
#include "app/worker/file_worker.h"
#include "core/base/system/files.h"
#include "tests/app/made_recording.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

class Program : public testing::Test {
 protected:
  AppState state = *initial_state("grayscale", "rtx_3060");
  FileWorker worker{[] {}};
  MadeRecording made;

  void settle() {
    do {
      drive_files(state, worker);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (worker.busy() || worker.submitted != state.program.serial);
    drive_files(state, worker);
  }
  void open(const std::string& path) {
    update(state, OpenFile{path});
    settle();
  }
  void open_launch(uint64_t number, View view = View::grid) {
    update(state, OpenLaunch{number, view});
    settle();
  }
};

TEST_F(Program, IsReadBesideTheFramesAndComesToTheFront) {
  EXPECT_FALSE(is_offered(state.program, View::program));
  update(state, OpenFile{made.path});
  EXPECT_TRUE(is_offered(state.program, View::program)) << "while it is read";
  EXPECT_EQ(state.program.opened, nullptr);
  settle();
  ASSERT_NE(state.program.opened, nullptr);
  EXPECT_EQ(state.frame.view, View::program);
  EXPECT_EQ(state.program.opened->name, "made.warplens");
  EXPECT_EQ(state.program.opened->launches.size(), 3u);
  EXPECT_EQ(state.program.chosen, 1u);
  EXPECT_EQ(state.files.recent.front(), made.path);
  EXPECT_EQ(state.setup.launch.kernel, "grayscale") << "no launch was opened yet";
}

TEST_F(Program, ABadFileIsANoticeAndNothingIsLost) {
  const std::string bad = (made.folder / "bad.warplens").string();
  ASSERT_TRUE(write_text(bad, "this is no recording\n"));
  open(bad);
  EXPECT_FALSE(is_offered(state.program, View::program));
  EXPECT_NE(state.frame.view, View::program) << "the tab is gone again";
  ASSERT_FALSE(state.problems.notices.empty());
  EXPECT_EQ(state.problems.notices.front().title, "The recording was not opened");
  EXPECT_THAT(state.problems.notices.front().message, HasSubstr("bad.warplens"));
  open(made.path);
  open_launch(1);
  open((made.folder / "nothing.warplens").string());
  ASSERT_NE(state.program.opened, nullptr);
  EXPECT_EQ(state.program.opened->path, made.path) << "what was open stays";
  EXPECT_EQ(state.setup.launch.kernel, "twice #1");
}

TEST_F(Program, AnOpenedLaunchIsWhatTheWindowRuns) {
  open(made.path);
  open_launch(2, View::memory);
  EXPECT_EQ(state.frame.view, View::memory);
  EXPECT_EQ(state.program.shown, 2u);
  EXPECT_EQ(state.setup.launch.kernel, "twice #2");
  EXPECT_EQ(state.setup.launch.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(state.setup.launch.grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(state.setup.outlook.error, "");
  EXPECT_NE(state.runs.now.wanted, 0u) << "it runs by itself";
  EXPECT_FALSE(state.code.own) << "its code is not edited here";
  update(state, SetBlock{{32, 1, 1}});
  EXPECT_EQ(state.setup.launch.grid, (Dim3{8, 1, 1})) << "the grid has as many threads";
  update(state, Undo{});
  EXPECT_EQ(state.setup.launch.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(state.setup.launch.kernel, "twice #2");
  update(state, Undo{});
  EXPECT_EQ(state.setup.launch.kernel, "grayscale");
  update(state, Redo{});
  EXPECT_EQ(state.setup.launch.kernel, "twice #2");
}

TEST_F(Program, AnOpenedLaunchHasTheProgramsMemory) {
  open(made.path);
  open_launch(2);
  const WorkerCalls calls = make_worker_calls();
  RunOrder order{1, state.setup.kernel, state.setup.launch, state.setup.device, state.setup.own_kernel};
  Progress progress;
  const Result<RunResult> result = calls.run(order, {}, &progress);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  ASSERT_EQ(result->outputs.size(), 1u);
  uint32_t last = 0;
  std::memcpy(&last, result->outputs[0].bytes->data() + 255 * 4, 4);
  EXPECT_EQ(last, 256u * 4) << "doubled twice: by the launch before it, and by itself";
  Device real = state.setup.device;
  real.is_virtual = false;
  order.device = real;
  const Result<RunResult> refused = calls.run(order, {}, &progress);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("virtual device"));
}

// How many threads have an element is not known: the program may have rounded 250 up to 256.
TEST_F(Program, ThreadsOfALaunchAreNotCalledNeeded) {
  open(made.path);
  open_launch(1);
  const LaunchView view = launch_view(state);
  EXPECT_EQ(view.subject, "256 threads launched");
  EXPECT_FALSE(view.problem_is_known);
  const auto lanes = std::ranges::find_if(
      view.figures, [](const LaunchFigure& figure) { return figure.figure.label.starts_with("lanes"); });
  ASSERT_NE(lanes, view.figures.end());
  EXPECT_EQ(lanes->figure.label, "lanes without a thread");
  EXPECT_THAT(lanes->figure.formula, HasSubstr("not known"));
}

TEST_F(Program, ALaunchThatWasNotRecordedSaysWhy) {
  open(made.path);
  open_launch(3);
  EXPECT_EQ(state.program.chosen, 3u);
  EXPECT_EQ(state.program.shown, 0u);
  EXPECT_EQ(state.setup.launch.kernel, "grayscale");
  ASSERT_FALSE(state.problems.notices.empty());
  EXPECT_THAT(state.problems.notices.front().message, HasSubstr("--launches 3"));
}

TEST_F(Program, OnlyTheLastFileThatWasOpenedCounts) {
  update(state, OpenFile{(made.folder / "nothing.warplens").string()});
  drive_files(state, worker);
  update(state, OpenFile{made.path});
  settle();
  EXPECT_TRUE(state.problems.notices.empty());
  ASSERT_NE(state.program.opened, nullptr);
  EXPECT_EQ(state.program.opened->path, made.path);
}

TEST_F(Program, LaunchNumbersThatAreNotThereDoNothing) {
  update(state, OpenLaunch{1});
  open(made.path);
  for (const uint64_t number : {uint64_t{0}, uint64_t{4}, UINT64_MAX}) {
    update(state, ChooseLaunch{number});
    update(state, OpenLaunch{number});
    EXPECT_EQ(state.program.chosen, 1u);
    EXPECT_EQ(state.program.wanted, 0u);
  }
}

TEST_F(Program, SessionsLeaveRecordedLaunchesOut) {
  open(made.path);
  open_launch(1);
  const Session session = session_of(state);
  EXPECT_TRUE(find_kernel(session.kernel)) << session.kernel << " is kept for a crash, so it must open";
  update(state, SaveSession{});
  EXPECT_FALSE(state.effects.newest<effect::AskFile>());
  EXPECT_THAT(state.problems.notices.front().message, HasSubstr(".warplens"));
}

// The kernel `twice` has no race: its launches are run again, and nothing is found.
TEST_F(Program, ItsSmallLaunchesAreSearchedForRaces) {
  update(state, OpenFile{made.path});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!state.program.search.done && std::chrono::steady_clock::now() < end) {
    drive_files(state, worker);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_NE(state.program.search.done, nullptr) << state.program.search.error;
  EXPECT_EQ(state.program.search.done->searched, 2u) << "two of three can be run again";
  EXPECT_TRUE(state.program.search.done->found.empty());
  EXPECT_FALSE(state.program.search.wanted);
}

TEST_F(Program, WhatTheSearchFindsStandsFirst) {
  open(made.path);
  const std::string times = headline_of(state.program);
  auto search = std::make_shared<ProgramSearch>();
  Incident race;
  race.kind = IncidentKind::race;
  race.message = "thread (0, 0, 0) writes what thread (1, 0, 0) reads";
  race.file = "/home/me/twice.cu";
  race.line = 7;
  search->found = {{2, race}};
  search->searched = 2;
  update(state, ProgramSearched{state.program.search.serial + 1, search, ""});
  EXPECT_EQ(headline_of(state.program), times) << "it was a search of another program";
  update(state, ProgramSearched{state.program.search.serial, search, ""});
  EXPECT_EQ(headline_of(state.program), "Race in launch 2 of twice at twice.cu:7. " + times);
  ASSERT_TRUE(finding_of(state.program, 2));
  EXPECT_FALSE(finding_of(state.program, 1));
  ASSERT_FALSE(state.problems.all.empty());
  EXPECT_EQ(state.problems.all.front().title, "Race in launch 2");
  update(state, SelectProblem{0});
  EXPECT_EQ(state.program.chosen, 2u);
  update(state, StepToProblem{0});
  EXPECT_EQ(state.program.wanted, 2u);
  EXPECT_EQ(state.program.step_to, "race");
  // Another recording has nothing of it.
  open(made.path);
  EXPECT_EQ(headline_of(state.program), times);
}

TEST_F(Program, ACopyOfItsCodeIsNotOffered) {
  open(made.path);
  open_launch(1);
  update(state, EditCopy{});
  EXPECT_FALSE(state.code.own);
  EXPECT_FALSE(state.problems.notices.empty());
}

}  // namespace THIS_FILE
}  // namespace warplens
