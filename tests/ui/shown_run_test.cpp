// Every sentence about a run belongs to the run that is shown: in the status bar, in the problems, and in the
// views, after one thing failed and another was opened.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/user_program/environment.h"
#include "app/views/problems/line.h"
#include "app/views/runs/line.h"
#include "app/window/frame/run_status.h"
#include "core/base/system/files.h"
#include "tests/app/made_recording.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using Mood = RunStatusView::Mood;

// Each of 256 threads reads what another one writes, without a barrier.
constexpr const char* shift_ptx = R"(.version 7.0
.target sm_80
.address_size 64
.file 1 "/home/me/shift.cu"
.visible .entry shift(.param .u64 shift_param_0)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<4>;
  .loc 1 2 0
  ld.param.u64 %rd1, [shift_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  add.s32 %r2, %r1, 33;
  and.b32 %r2, %r2, 255;
  mul.wide.s32 %rd3, %r2, 4;
  add.s64 %rd3, %rd2, %rd3;
  ld.global.u32 %r3, [%rd3];
  mul.wide.s32 %rd4, %r1, 4;
  add.s64 %rd4, %rd2, %rd4;
  .loc 1 3 0
  st.global.u32 [%rd4], %r3;
  ret;
}
)";

// A launch of a kernel over 65,536 numbers, with this many blocks of 256 threads.
std::string script(const std::string& kernel, int blocks) {
  return R"(import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    assert status == 0, f"{name}: {status}"
call("cuInit", 0)
context, module, kernel, array = (ctypes.c_void_p() for _ in range(4))
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), open(")" +
         kernel + R"(.ptx", "rb").read() + b"\0")
call("cuModuleGetFunction", ctypes.byref(kernel), module, b")" +
         kernel + R"(")
host = (ctypes.c_uint32 * 65536)(*range(65536))
call("cuMemAlloc_v2", ctypes.byref(array), ctypes.c_size_t(262144))
call("cuMemcpyHtoD_v2", array, host, ctypes.c_size_t(262144))
pointers = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(array), ctypes.c_void_p))
call("cuLaunchKernel", kernel, )" +
         std::to_string(blocks) + R"(, 1, 1, 256, 1, 1, 0, None, pointers, None)
call("cuCtxSynchronize")
)";
}

class ShownRun : public WindowTest {
 protected:
  ShownRun() {
    std::string made = (fs::temp_directory_path() / "warplens-shown-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    EXPECT_TRUE(write_text(folder / "twice.ptx", twice_ptx));
    EXPECT_TRUE(write_text(folder / "shift.ptx", shift_ptx));
  }
  ~ShownRun() override { fs::remove_all(folder); }
  void SetUp() override {
    if (!program_run::find_driver()) GTEST_SKIP() << "this build has no driver";
  }

  std::string file(const char* name, const std::string& text) const {
    EXPECT_TRUE(write_text(folder / name, text));
    return folder / name;
  }
  static void run(Driver& d, const std::string& path) {
    const uint64_t before = d.state().program.run.serial;
    d.shell.actions().push(OpenFile{path});
    ASSERT_TRUE(d.wait_until([&] { return d.state().program.run.phase == ProgramRun::Phase::asking; }));
    d.shell.actions().push(RunProgram{});
    ASSERT_TRUE(d.wait_until([&] {
      return d.state().program.run.serial != before &&
             d.state().program.run.phase == ProgramRun::Phase::ended;
    }));
    ASSERT_TRUE(d.wait_for_result());
    d.ui->Yield(3);
  }
  // All that the status bar and the problems say.
  static std::string said_by(Driver& d) {
    const AppState& state = d.state();
    const RunStatusView status = run_status(state);
    std::string all = status.words + "\n" + status.hover + "\n" + runs_line(state).words + "\n";
    for (const Problem& problem : state.problems.all) all += problem.title + ": " + problem.message + "\n";
    return all;
  }
  static bool says(Driver& d, const char* words) { return said_by(d).find(words) != std::string::npos; }

  fs::path folder;
};

TEST_F(ShownRun, AFaultOfAProgramAfterAGreenLaunch) {
  const std::string beyond = file("beyond.py", script("twice", 257));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(run_status(d.state()).mood, Mood::good);
    EXPECT_TRUE(says(d, "equals the CPU reference"));
    const std::string time = runs_line(d.state()).words;
    run(d, beyond);
    EXPECT_EQ(run_status(d.state()).mood, Mood::bad);
    EXPECT_TRUE(says(d, "Out of bounds in launch 1")) << said_by(d);
    EXPECT_FALSE(says(d, "equals the CPU reference")) << said_by(d);
    EXPECT_NE(runs_line(d.state()).words, time) << "it was the time of the launch before";
    EXPECT_FALSE(problems_line(d.state().problems).fix) << "it would change a kernel that is not shown";
    d.screenshots("shown_program_fault");
    d.shell.actions().push(ShowView{View::image});
    d.ui->Yield(2);
    EXPECT_TRUE(says(d, "equals the CPU reference")) << "of the launch, in its own views";
    EXPECT_FALSE(says(d, "Out of bounds")) << said_by(d);
  });
}

// The compiler is not started here: what it would have said comes in the same frame as the start.
TEST_F(ShownRun, ACompileErrorAfterAFaultOfAProgram) {
  const std::string path = file("add.cu", "__global__ void add(int* a) {}\nint main() {}\n");
  const MadeRecording made(3, 2);
  const auto opened = open_program(made.path);
  ASSERT_TRUE(opened);
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{path});
    ASSERT_TRUE(d.wait_until([&] { return d.state().program.run.phase == ProgramRun::Phase::asking; }));
    const auto end = [&](ProgramEnded ended) {
      ended.serial = d.state().program.run.serial + 1;
      d.shell.actions().push(RunProgram{});
      d.shell.actions().push(ended);
      d.ui->Yield(3);
    };
    ProgramEnded fault;
    fault.program = *opened;
    end(fault);
    EXPECT_TRUE(says(d, "Out of bounds in launch 2")) << said_by(d);
    EXPECT_EQ(run_status(d.state()).words, "ended in a fault");
    EXPECT_EQ(headline_of(d.state().program), "Launch 2 of twice ended in a fault at twice.cu:9.");
    d.screenshot("shown_before_compile_error_1920x1080");
    ProgramEnded wrong;
    wrong.status = 2;
    wrong.progress.output.lines = {path + "(1): error: identifier \"x\" is undefined"};
    end(wrong);
    EXPECT_EQ(run_status(d.state()).words, "does not compile");
    EXPECT_TRUE(says(d, "identifier \"x\" is undefined")) << said_by(d);
    EXPECT_FALSE(says(d, "Out of bounds")) << said_by(d);
    EXPECT_EQ(runs_line(d.state()).words, "");
    EXPECT_EQ(d.state().program.shown_program(), nullptr);
    d.screenshots("shown_compile_error");
  });
}

TEST_F(ShownRun, ARaceOfASmallProgramIsTheHeadline) {
  const std::string path = file("shift.py", script("shift", 1));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    run(d, path);
    ASSERT_TRUE(d.wait_until([&] { return d.state().program.search.done != nullptr; }));
    d.ui->Yield(3);
    const std::string headline = headline_of(d.state().program);
    EXPECT_EQ(headline.find("Race in launch 1 of shift at shift.cu:3. Copying takes"), 0u) << headline;
    EXPECT_EQ(problems_line(d.state().problems).worst, "Race in launch 1, shift.cu:3");
    EXPECT_EQ(run_status(d.state()).words, "ended, with a mistake");
    EXPECT_EQ(run_status(d.state()).mood, Mood::warns) << "red is for faults";
    d.screenshots("shown_program_race");
    d.shell.actions().push(OpenLaunch{1, View::step, true});
    ASSERT_TRUE(
        d.wait_until([&] { return d.state().frame.view == View::step && d.state().step.shown != nullptr; }));
    EXPECT_TRUE(std::ranges::any_of(d.state().step.shown->named, [](const stepping::NamedArray& array) {
      return array.space == Space::global && array.element == DType::i32;
    })) << "elements, not bytes: the PTX says what they are";
  });
}

TEST_F(ShownRun, AFailedScriptAfterAGoodProgram) {
  const std::string good = file("good.py", script("twice", 256)), wrong = file("wrong.py", "1 / 0\n");
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    run(d, good);
    EXPECT_EQ(run_status(d.state()).mood, Mood::good) << said_by(d);
    ASSERT_NE(d.state().program.shown_program(), nullptr);
    const std::string time = runs_line(d.state()).words;
    EXPECT_NE(time, "");
    run(d, wrong);
    EXPECT_EQ(d.state().program.shown_program(), nullptr);
    EXPECT_EQ(run_status(d.state()).mood, Mood::bad);
    EXPECT_TRUE(says(d, "wrong.py ended with status 1: ZeroDivisionError")) << said_by(d);
    EXPECT_EQ(runs_line(d.state()).words, "");
    d.screenshots("shown_failed_script");
    run(d, good);
    EXPECT_EQ(run_status(d.state()).mood, Mood::good) << said_by(d);
    EXPECT_EQ(runs_line(d.state()).words, time);
  });
}

TEST_F(ShownRun, AnotherKernelOpenedAfterAFault) {
  const std::string text = "// warplens: n=100\n__global__ void add(float* out, int n) { out[%] = 1; }\n";
  const auto with = [&](const char* index) {
    std::string made = text;
    return made.replace(made.find('%'), 1, index);
  };
  fs::create_directories(folder / "other");
  const std::string faulty = file("add.cu", with("n * 64 + threadIdx.x")),
                    right = file("other/add.cu", with("threadIdx.x % n"));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{faulty});
    ASSERT_TRUE(d.wait_until([&] { return d.state().setup.own_kernel != nullptr; }));
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_TRUE(says(d, "faulted")) << said_by(d);
    // The text of another file with the same name: nothing of the fault is left while it waits for its run.
    bool said_fault = false;
    d.shell.actions().push(OpenFile{right});
    ASSERT_TRUE(d.wait_until([&] {
      const auto& own = d.state().setup.own_kernel;
      const bool is_other = own != nullptr && own->path == right;
      if (is_other) said_fault = said_fault || says(d, "faulted") || says(d, "Out of bounds");
      return is_other && d.state().runs.now.stale_because.empty();
    }));
    EXPECT_FALSE(said_fault);
    EXPECT_FALSE(says(d, "Out of bounds")) << said_by(d);
    // A text with an error has no run, so nothing is said of the one before.
    d.shell.actions().push(OpenFile{faulty});
    ASSERT_TRUE(d.wait_until([&] { return says(d, "faulted"); }));
    d.shell.actions().push(EditSource{with("q")});
    d.shell.actions().push(RunSource{});
    ASSERT_TRUE(d.wait_until([&] { return d.state().runs.now.stale_because == "The code has errors"; }));
    d.ui->Yield(2);
    EXPECT_FALSE(says(d, "Out of bounds")) << said_by(d);
    EXPECT_FALSE(says(d, "faulted")) << said_by(d);
    EXPECT_EQ(runs_line(d.state()).words, "");
    d.shell.actions().push(ShowView{View::grid});
    d.ui->Yield(3);
    d.screenshots("shown_code_error");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
