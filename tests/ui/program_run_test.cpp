// A user's program in the window: the question before it runs, its progress, and its end.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/user_program/environment.h"
#include "core/base/system/files.h"
#include "tests/app/made_recording.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using Phase = ProgramRun::Phase;

// Copies the same picture for each launch, as beginners do: the driver API by ctypes, without any package.
constexpr const char* copies_script = R"(import ctypes, os, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    assert status == 0, f"{name}: {status}"
launches = int(sys.argv[1]) if len(sys.argv) > 1 else 4
call("cuInit", 0)
context, module, kernel, array = (ctypes.c_void_p() for _ in range(4))
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
ptx = open("twice.ptx", "rb").read() + b"\0"
call("cuModuleLoadData", ctypes.byref(module), ptx)
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"twice")
host = (ctypes.c_uint32 * 65536)(*range(65536))
size = ctypes.c_size_t(ctypes.sizeof(host))
call("cuMemAlloc_v2", ctypes.byref(array), size)
pointers = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(array), ctypes.c_void_p))
for number in range(launches):
    call("cuMemcpyHtoD_v2", array, host, size)
    call("cuLaunchKernel", kernel, 256, 1, 1, 256, 1, 1, 0, None, pointers, None)
    call("cuCtxSynchronize")
    print("launch", number + 1, "of", launches, flush=True)
open("done", "a").write("x")
)";

class ProgramRunView : public WindowTest {
 protected:
  ProgramRunView() {
    std::string made = (fs::temp_directory_path() / "warplens-window-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    EXPECT_TRUE(write_text(folder / "twice.ptx", twice_ptx));
    EXPECT_TRUE(write_text(path("copies.py"), copies_script));
  }
  ~ProgramRunView() override { fs::remove_all(folder); }
  void SetUp() override {
    if (!program_run::find_driver()) GTEST_SKIP() << "this build has no driver";
  }

  std::string path(const char* name) const { return folder / name; }
  static const ProgramRun& run(Driver& d) { return d.state().program.run; }
  static void press(Driver& d, const char* label) {
    d.ui->SetRef("//###program");
    d.ui->ItemClick((std::string("run/") + label).c_str());
    d.ui->Yield(2);
  }
  static bool ends(Driver& d) {
    return d.wait_until([&] { return run(d).phase == Phase::ended; }) && d.wait_for_result();
  }
  void open(Driver& d, const char* name) {
    d.shell.actions().push(OpenFile{path(name)});
    ASSERT_TRUE(d.wait_until([&] { return run(d).phase == Phase::asking; }));
    d.ui->Yield(3);
  }
  fs::path folder;
};

TEST_F(ProgramRunView, IsAskedAboutAndThenShowsWhatItDid) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "copies.py");
    d.screenshots("program_question");
    EXPECT_FALSE(fs::exists(folder / "done"));
    d.ui->SetRef("//###program");
    d.ui->ItemClick("run/##arguments");
    d.ui->KeyCharsReplaceEnter("6");
    ASSERT_TRUE(ends(d));
    EXPECT_TRUE(fs::exists(folder / "done"));
    EXPECT_EQ(run(d).choices.arguments, "6");
    ASSERT_NE(d.state().program.opened, nullptr);
    EXPECT_EQ(d.state().program.opened->launches.size(), 6u);
    d.ui->Yield(3);
    d.screenshots("program_copies_too_much");
    d.shell.actions().push(OpenLaunch{2, View::memory});
    ASSERT_TRUE(d.wait_until([&] { return d.state().program.shown == 2; }));
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
  });
}

// Reads what a kernel writes into pinned memory before it waits.
constexpr const char* early_script = R"(
pinned = ctypes.c_void_p()
call("cuMemHostAlloc", ctypes.byref(pinned), size, 0)
ctypes.memmove(pinned, host, size.value)
pointers = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(pinned), ctypes.c_void_p))
call("cuLaunchKernel", kernel, 256, 1, 1, 256, 1, 1, 0, None, pointers, None)
number = (ctypes.c_uint32 * 65536).from_address(pinned.value)[21]
sys.stdout.write(f"the number is {number}\n")
call("cuCtxSynchronize")
)";

// What WarpLens says of it comes by another pipe, before or after.
bool prints(const ProgramOutput& output, const char* line) {
  return std::ranges::find(output.lines, line) != output.lines.end();
}

TEST_F(ProgramRunView, AMissingWaitIsShownByTheOutputsOfTwoOrders) {
  EXPECT_TRUE(write_text(path("early.py"), std::string(copies_script) + early_script));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "early.py");
    press(d, "Run it");
    ASSERT_TRUE(ends(d));
    EXPECT_TRUE(prints(run(d).output, "the number is 42"));
    d.ui->Yield(3);
    const auto before = d.state().program.opened;
    press(d, "Run in another order");
    ASSERT_TRUE(ends(d));
    ASSERT_TRUE(run(d).other_order);
    EXPECT_TRUE(prints(*run(d).other_order, "the number is 21"));
    EXPECT_TRUE(prints(run(d).output, "the number is 42"));
    EXPECT_EQ(d.state().program.opened, before) << "with the missing wait";
    d.ui->Yield(3);
    d.screenshots("program_two_orders");
    press(d, "Run again");
    ASSERT_TRUE(ends(d));
    EXPECT_FALSE(run(d).other_order);
  });
}

TEST_F(ProgramRunView, WithoutAMissingWaitThereIsOneOrder) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "copies.py");
    press(d, "Run it");
    ASSERT_TRUE(ends(d));
    d.ui->Yield(3);
    EXPECT_FALSE(d.ui->ItemExists("//###program/run/Run in another order"));
  });
}

TEST_F(ProgramRunView, NotNowRunsNothing) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    const View before = d.state().frame.view;
    open(d, "copies.py");
    press(d, "Not now");
    EXPECT_EQ(run(d).phase, Phase::none);
    EXPECT_EQ(d.state().frame.view, View::image);
    EXPECT_EQ(before, View::image);
    EXPECT_FALSE(fs::exists(folder / "done"));
  });
}

TEST_F(ProgramRunView, IsStoppedAndSaysSo) {
  EXPECT_TRUE(write_text(path("forever.py"), std::string(copies_script) + "while True: time.sleep(0.01)\n"));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "forever.py");
    press(d, "Run it");
    ASSERT_TRUE(d.wait_until([&] { return run(d).output.lines.size() == 4 && run(d).launches == 4; }));
    d.screenshots("program_running");
    d.type_number("launch", "block_x", 8);  // the other controls are not blocked
    press(d, "Stop");
    ASSERT_TRUE(ends(d));
    EXPECT_TRUE(run(d).stopped);
    EXPECT_EQ(d.state().program.opened->launches.size(), 4u);
    d.ui->Yield(3);
    d.screenshot("program_stopped_1920x1080");
  });
}

TEST_F(ProgramRunView, RunsAgainWhenItsFileIsSaved) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "copies.py");
    press(d, "Run it");
    ASSERT_TRUE(ends(d));
    EXPECT_TRUE(write_text(path("copies.py"), std::string(copies_script) + "print('second')\n"));
    d.let_pass(0.8);
    EXPECT_EQ(read_text(path("done"), 10).value(), "x") << "the switch is off at first";
    press(d, "Run again on save");
    ASSERT_TRUE(d.wait_until([&] { return run(d).choices.again_on_save; }));
    d.let_pass(0.8);
    EXPECT_TRUE(write_text(path("copies.py"), std::string(copies_script) + "print('third')\n"));
    ASSERT_TRUE(
        d.wait_until([&] { return !run(d).output.lines.empty() && run(d).output.lines.back() == "third"; }));
    ASSERT_TRUE(ends(d));
    EXPECT_EQ(read_text(path("done"), 10).value(), "xx");
  });
}

TEST_F(ProgramRunView, AFaultOfALaunchIsSteppedTo) {
  std::string script = copies_script;
  const std::string right = "kernel, 256, 1, 1, 256";
  script.replace(script.find(right), right.size(),
                 "kernel, 256 + (number == 1), 1, 1, 256");  // a block too many
  EXPECT_TRUE(write_text(path("beyond.py"), script));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "beyond.py");
    press(d, "Run it");
    ASSERT_TRUE(ends(d));
    EXPECT_NE(run(d).status, 0) << "the call behind the launch failed";
    ASSERT_EQ(d.state().program.opened->launches.size(), 2u);
    EXPECT_FALSE(finding_of(d.state().program, 1)) << "it is the second one's";
    ASSERT_TRUE(finding_of(d.state().program, 2));
    EXPECT_EQ(finding_of(d.state().program, 2)->kind, "out_of_bounds");
    d.shell.actions().push(ChooseLaunch{2});
    d.ui->Yield(3);
    d.screenshots("program_fault");
    d.ui->SetRef(d.ui->WindowInfo("//###program/details").ID);
    d.ui->ItemClick("Step to it ›");
    const StepState& step = d.state().step;
    ASSERT_TRUE(d.wait_until([&] { return step.shown && step.shown->timeline && !step.moving; }));
    EXPECT_EQ(d.state().frame.view, View::step);
    EXPECT_EQ(step.block, (Dim3{256, 0, 0}));
    EXPECT_EQ(step.shown->end, stepping::End::fault);
    d.screenshot("program_fault_step_1920x1080");
  });
}

TEST_F(ProgramRunView, AFailureShowsItsTraceback) {
  EXPECT_TRUE(write_text(path("wrong.py"), "def blur(n):\n    return n / 0\nblur(3)\n"));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, "wrong.py");
    press(d, "Run it");
    ASSERT_TRUE(ends(d));
    EXPECT_EQ(run(d).status, 1);
    ASSERT_FALSE(run(d).output.lines.empty());
    EXPECT_EQ(run(d).output.lines.back(), "ZeroDivisionError: division by zero");
    EXPECT_EQ(d.state().frame.view, View::program);
    d.ui->Yield(3);
    d.screenshots("program_failed");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
