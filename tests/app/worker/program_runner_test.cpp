// A program that runs while the window is open: the question before it, its start, stop and second run, and
// the files that it leaves.
#include "app/worker/program_runner.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <thread>

#include "app/state/frame/commands.h"
#include "app/state/update.h"
#include "app/user_program/environment.h"
#include "app/worker/file_worker.h"
#include "core/base/system/files.h"
#include "tests/app/made_recording.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Phase = ProgramRun::Phase;

// The driver API without any package: the kernel `twice` over 256 numbers, as often as the first argument
// says.
constexpr const char* driver_script = R"(import ctypes, os, sys
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    assert status == 0, f"{name}: {status}"
call("cuInit", 0)
context, module, kernel, array = (ctypes.c_void_p() for _ in range(4))
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
ptx = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "twice.ptx"), "rb").read() + b"\0"
call("cuModuleLoadData", ctypes.byref(module), ptx)
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"twice")
call("cuMemAlloc_v2", ctypes.byref(array), ctypes.c_size_t(1024))
call("cuMemsetD32_v2", array, 1, ctypes.c_size_t(256))
pointers = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(array), ctypes.c_void_p))
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
    call("cuLaunchKernel", kernel, 4, 1, 1, 64, 1, 1, 0, None, pointers, None)
    call("cuCtxSynchronize")
print("launched", flush=True)
)";

class ProgramRunnerTest : public testing::Test {
 protected:
  AppState state = *initial_state("grayscale", "rtx_3060");
  ProgramRunner runner{[] {}};
  FileWorker worker{[] {}};
  fs::path folder;
  bool has_driver = false;

  ProgramRunnerTest() {
    std::string made = (fs::temp_directory_path() / "warplens-runner-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    // What a run leaves would be there.
    fs::create_directories(folder / "tmp");
    m_temporary.emplace("TMPDIR", (folder / "tmp").c_str());
    EXPECT_TRUE(write_text(folder / "twice.ptx", twice_ptx));
    // A build with sanitizers has no driver. What does not use the device runs all the same.
    has_driver = bool(program_run::find_driver());
    if (has_driver) return;
    EXPECT_TRUE(write_text(folder / "libcuda.so.1", ""));
    m_driver.emplace("WARPLENS_DRIVER", (folder / "libcuda.so.1").c_str());
  }
  ~ProgramRunnerTest() override { fs::remove_all(folder); }

  std::string file(const std::string& name, const std::string& text) {
    const std::string path = folder / name;
    EXPECT_TRUE(write_text(path, text));
    ::chmod(path.c_str(), 0755);
    return path;
  }
  const ProgramRun& run() const { return state.program.run; }
  void step() {
    drive_program_run(state, runner);
    drive_files(state, worker);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  template <class Condition>
  bool comes(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end) step();
    return condition();
  }
  bool ends() {
    return comes([&] { return run().phase == Phase::ended && !runner.busy(); });
  }
  void choose(const std::string& arguments) {
    ProgramRunChoices choices = run().choices;
    choices.arguments = arguments;
    update(state, SetProgramChoices{choices});
  }
  bool run_file(const std::string& path, const std::string& arguments = "") {
    update(state, OpenFile{path});
    choose(arguments);
    update(state, RunProgram{});
    return ends();
  }
  bool leaves_nothing() const { return fs::is_empty(folder / "tmp"); }

 private:
  std::optional<ScopedEnvironment> m_temporary, m_driver;
};

TEST_F(ProgramRunnerTest, NothingRunsBeforeSomebodySaysSo) {
  const std::string path = file("touch.sh", "#!/bin/sh\ntouch was_here\n");
  update(state, OpenFile{path});
  EXPECT_EQ(run().phase, Phase::asking);
  EXPECT_EQ(run().path, path);
  EXPECT_EQ(state.frame.view, View::program);
  for (int i = 0; i < 50; ++i) step();
  EXPECT_FALSE(fs::exists(folder / "was_here"));
  EXPECT_THAT(state.files.recent, IsEmpty());
  update(state, CloseProgram{});
  EXPECT_EQ(run().phase, Phase::none);
  EXPECT_NE(state.frame.view, View::program) << "it has nothing to show";
  update(state, OpenFile{path});
  EXPECT_EQ(run().phase, Phase::asking) << "the second time too";
  update(state, RunProgram{});
  ASSERT_TRUE(ends());
  EXPECT_TRUE(fs::exists(folder / "was_here")) << "it runs in its own folder";
  EXPECT_THAT(state.files.recent, ElementsAre(path));
  EXPECT_TRUE(leaves_nothing());
}

// Its driver is ours here: it is not told apart by what the window does.
TEST_F(ProgramRunnerTest, RunsOnTheGpuThatWasAskedAbout) {
  if (!has_driver) GTEST_SKIP() << "this build has no driver for programs";
  const ScopedEnvironment gpu("WARPLENS_CUDA_DRIVER", program_run::find_driver()->c_str());
  Device real = *find_device("h200");
  real.id = "cuda:0";
  real.is_virtual = false;
  state.setup.device = real;
  ASSERT_TRUE(run_file(file("launches.py", driver_script), "2"));
  ASSERT_EQ(run().status, 0) << testing::PrintToString(run().output.lines);
  ASSERT_NE(state.program.opened, nullptr);
  EXPECT_EQ(state.program.opened->recording.device, "h200") << "the virtual device that stands for it";
  EXPECT_NE(state.program.opened->recording.device_name, "") << "its times were measured";
  ASSERT_EQ(state.program.opened->launches.size(), 2u);
  // After that, the window shows the virtual device of a launch.
  state.setup.device = *find_device("rtx_3060");
  update(state, RunProgram{});
  ASSERT_TRUE(ends());
  EXPECT_NE(state.program.opened->recording.device_name, "") << "the same again";
  update(state, ChangeProgram{});
  update(state, RunProgram{});
  ASSERT_TRUE(ends());
  EXPECT_EQ(state.program.opened->recording.device_name, "") << "asked again";
  EXPECT_EQ(state.program.opened->recording.device, "rtx_3060");
  EXPECT_TRUE(leaves_nothing());
}

TEST_F(ProgramRunnerTest, GetsItsArgumentsAndIsHeard) {
  ASSERT_TRUE(run_file(file("say.sh",
                            "#!/bin/sh\nfor a in \"$@\"; do echo \"<$a>\"; done\necho oh >&2\nread x || echo "
                            "no input\nexit 7\n"),
                       "one 'two three' ''"));
  EXPECT_EQ(run().status, 7);
  EXPECT_FALSE(run().used_device);
  for (const char* line : {"<one>", "<two three>", "<>", "oh", "no input"})
    EXPECT_THAT(run().output.lines, Contains(line));
  EXPECT_EQ(state.program.opened, nullptr);
}

TEST_F(ProgramRunnerTest, ArgumentsThatAreNotClosedRunNothing) {
  update(state, OpenFile{file("say.sh", "#!/bin/sh\ntouch was_here\n")});
  choose("'one");
  update(state, RunProgram{});
  EXPECT_EQ(run().phase, Phase::asking);
  EXPECT_THAT(run().problem, HasSubstr("not closed"));
  for (int i = 0; i < 50; ++i) step();
  EXPECT_FALSE(fs::exists(folder / "was_here"));
  choose("one");
  EXPECT_THAT(run().problem, IsEmpty());
}

TEST_F(ProgramRunnerTest, WhatItDoesWithTheDeviceIsOpened) {
  if (!has_driver) GTEST_SKIP() << "this build has no driver";
  const std::string path = file("twice.py", driver_script);
  ASSERT_TRUE(run_file(path, "5"));
  ASSERT_EQ(run().status, 0) << testing::PrintToString(run().output.lines);
  EXPECT_THAT(run().output.lines, Contains("launched"));
  EXPECT_EQ(run().launches, 5u);
  ASSERT_NE(state.program.opened, nullptr);
  EXPECT_EQ(state.program.opened->name, "twice.py");
  EXPECT_EQ(state.program.opened->launches.size(), 5u);
  EXPECT_EQ(state.program.opened->recording.device, "rtx_3060");
  EXPECT_THAT(state.program.opened->recording.command, Contains(path));
  EXPECT_TRUE(leaves_nothing());

  update(state, OpenLaunch{2});
  ASSERT_TRUE(comes([&] { return state.program.shown == 2; }));
  EXPECT_EQ(state.setup.own_kernel->name, "twice #2");
  // Saved and run again, the other views keep to the same launch.
  update(state, ShowView{View::memory});
  update(state, ChooseLaunch{3});
  const auto before = state.program.opened;
  update(state, RunProgram{});
  ASSERT_TRUE(comes([&] { return run().phase == Phase::ended && state.program.opened != before; }));
  ASSERT_TRUE(comes([&] { return state.program.shown == 2; }));
  EXPECT_EQ(state.program.chosen, 3u);
  EXPECT_EQ(state.frame.view, View::memory);
  // With fewer launches there is no second one.
  choose("1");
  update(state, RunProgram{});
  ASSERT_TRUE(
      comes([&] { return run().phase == Phase::ended && state.program.opened->launches.size() == 1; }));
  EXPECT_EQ(state.program.shown, 0u);
  EXPECT_EQ(state.program.chosen, 1u);
}

TEST_F(ProgramRunnerTest, TheRecordingCanBeSavedAndOpened) {
  if (!has_driver) GTEST_SKIP() << "this build has no driver";
  update(state, SaveRecording{});
  EXPECT_FALSE(state.effects.newest<effect::AskFile>()) << "there is none";
  ASSERT_TRUE(run_file(file("twice.py", driver_script), "2"));
  update(state, SaveRecording{});
  ASSERT_TRUE(state.effects.newest<effect::AskFile>());
  EXPECT_EQ(state.effects.newest<effect::AskFile>()->dialog, Dialog::save_recording);
  update(state, SaveRecordingAs{folder / "kept"});
  const auto* saved = state.effects.newest<effect::SaveRecording>();
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->path, folder / "kept.warplens");
  ASSERT_TRUE(write_bytes(saved->path, *saved->bytes));
  update(state, OpenFile{folder / "kept.warplens"});
  ASSERT_TRUE(comes([&] { return state.program.opened->path == folder / "kept.warplens"; }));
  EXPECT_EQ(state.program.opened->launches.size(), 2u);
  EXPECT_EQ(run().phase, Phase::none) << "this is another program";
}

TEST_F(ProgramRunnerTest, CanBeStoppedAndKeepsWhatItDid) {
  if (!has_driver) GTEST_SKIP() << "this build has no driver";
  update(state, OpenFile{file("forever.py",
                              std::string(driver_script) + "import time\nwhile True: time.sleep(0.01)\n")});
  update(state, RunProgram{});
  ASSERT_TRUE(
      comes([&] { return std::ranges::find(run().output.lines, "launched") != run().output.lines.end(); }));
  EXPECT_EQ(run().launches, 1u);
  update(state, OpenFile{file("other.sh", "#!/bin/sh\n")});
  EXPECT_THAT(run().path, HasSubstr("forever.py")) << "one at a time";
  EXPECT_EQ(state.problems.notices.size(), 1u);
  update(state, StopProgram{});
  EXPECT_EQ(run().phase, Phase::stopping);
  ASSERT_TRUE(ends());
  EXPECT_TRUE(run().stopped);
  ASSERT_NE(state.program.opened, nullptr);
  EXPECT_EQ(state.program.opened->launches.size(), 1u);
  EXPECT_TRUE(leaves_nothing());
}

TEST_F(ProgramRunnerTest, WhatDoesNotWantToEndIsKilledWithItsChildren) {
  update(
      state,
      OpenFile{file(
          "stubborn.sh",
          "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $! > child\necho up\nwhile :; do sleep 0.1; done\n")});
  update(state, RunProgram{});
  ASSERT_TRUE(comes([&] { return !run().output.lines.empty(); }));
  const auto child = read_text(folder / "child", 100);
  ASSERT_TRUE(child);
  update(state, StopProgram{});
  ASSERT_TRUE(ends());
  EXPECT_EQ(run().signal, SIGKILL);
  const pid_t pid = std::stoi(*child);
  EXPECT_TRUE(comes([&] {
    const auto status = read_text("/proc/" + std::to_string(pid) + "/stat", 4096);
    return !status || status->find(") Z") != status->npos;
  })) << "the child is left";
}

TEST_F(ProgramRunnerTest, RunsAgainWhereItsFileIsSavedAndOnlyThen) {
  const std::string path = file("count.sh", "#!/bin/sh\necho x >> runs\n");
  ASSERT_TRUE(run_file(path));
  update(state, ProgramSaved{path});
  EXPECT_EQ(run().phase, Phase::ended) << "the switch is off at first";
  ProgramRunChoices choices = run().choices;
  choices.again_on_save = true;
  update(state, SetProgramChoices{choices});
  update(state, ProgramSaved{folder / "other.py"});
  EXPECT_EQ(run().phase, Phase::ended);
  update(state, ProgramSaved{path});
  EXPECT_EQ(run().phase, Phase::running);
  ASSERT_TRUE(ends());
  EXPECT_EQ(read_text(folder / "runs", 100).value(), "x\nx\n");
  update(state, OpenFile{path});
  EXPECT_FALSE(run().choices.again_on_save) << "opened again, it asks again";
}

TEST_F(ProgramRunnerTest, SavedWhileItRunsItBeginsAnew) {
  const std::string path =
      file("wait.sh", "#!/bin/sh\necho x >> runs\n[ -e go ] || while :; do sleep 0.01; done\n");
  update(state, OpenFile{path});
  ProgramRunChoices choices = run().choices;
  choices.again_on_save = true;
  update(state, SetProgramChoices{choices});
  update(state, RunProgram{});
  ASSERT_TRUE(comes([&] {
    const auto text = read_text(folder / "runs", 100);
    return text && *text == "x\n";
  }));
  EXPECT_TRUE(write_text(folder / "go", ""));
  update(state, ProgramSaved{path});
  EXPECT_EQ(run().phase, Phase::stopping);
  ASSERT_TRUE(ends());
  EXPECT_FALSE(run().stopped);
  EXPECT_EQ(read_text(folder / "runs", 100).value(), "x\nx\n");
}

TEST_F(ProgramRunnerTest, WhatCannotBeStartedSaysWhy) {
  ASSERT_TRUE(run_file(folder / "missing.py"));
  EXPECT_NE(run().status, 0);
  EXPECT_THAT(testing::PrintToString(run().output.lines), HasSubstr("missing.py"));
  ASSERT_TRUE(run_file(file("nobody", "#!/no/such/interpreter\n")));
  EXPECT_THAT(run().problem, HasSubstr("could not be started"));
  EXPECT_TRUE(leaves_nothing());
}

TEST_F(ProgramRunnerTest, LeavesNoOpenFile) {
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const std::string path = file("say.sh", "#!/bin/sh\necho x\n");
  ASSERT_TRUE(run_file(path));
  const auto before = open_files();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run_file(path));
  EXPECT_EQ(open_files(), before);
}

TEST_F(ProgramRunnerTest, TheListOfCommandsHasItOnceItHasRun) {
  const auto has = [&](const char* text) {
    return std::ranges::any_of(all_commands(state),
                               [&](const Command& command) { return command.title == text; });
  };
  const std::string path = file("say.sh", "#!/bin/sh\n");
  update(state, OpenFile{path});
  EXPECT_FALSE(has("Run say.sh again"));
  update(state, RunProgram{});
  ASSERT_TRUE(ends());
  EXPECT_TRUE(has("Run say.sh again"));
}

TEST_F(ProgramRunnerTest, WithTheWindowTheProgramEnds) {
  {
    ProgramRunner other([] {});
    update(state,
           OpenFile{file("forever.sh", "#!/bin/sh\necho $$ > pid\necho up\nwhile :; do sleep 0.01; done\n")});
    update(state, RunProgram{});
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end && run().output.lines.empty()) {
      drive_program_run(state, other);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_FALSE(run().output.lines.empty());
  }
  const pid_t pid = std::stoi(read_text(folder / "pid", 100).value());
  EXPECT_NE(::kill(pid, 0), 0);
}

}  // namespace THIS_FILE
}  // namespace warplens
