// Mistakes that are searched for in the background, fixes that were tried, and the number of warnings shown.
#include <unistd.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class FindingsWindow : public WindowTest {
 protected:
  FindingsWindow() : folder(fs::temp_directory_path() / ("warplens_findings_" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~FindingsWindow() override { fs::remove_all(folder); }
  std::string at(const std::string& name) const { return (folder / name).string(); }

  fs::path folder;
};

const char* lost_sums =
    "// warplens: x=float32[n] index, sum=float32[1] zero, n=4096, grid=ceil(n/64), block=64\n"
    "__global__ void lost_sums(const float* x, float* sum, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) sum[0] += x[i];\n}\n";

const Problem* problem_with_id(const AppState& state, const std::string& id) {
  for (const Problem& problem : state.problems.all)
    if (problem.id == id) return &problem;
  return nullptr;
}

TEST_F(FindingsWindow, ALostSumStandsFirstWithAdviceThatHelps) {
  ASSERT_TRUE(write_text(at("lost_sums.cu"), lost_sums));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{at("lost_sums.cu")});
    d.ui->Yield(2);
    ASSERT_TRUE(d.wait_for_result());
    if (!d.state().setup.own_kernel) GTEST_SKIP() << "no CUDA compiler";
    ASSERT_FALSE(d.state().problems.all.empty());
    const Problem& first = d.state().problems.all.front();
    EXPECT_EQ(first.id, "race");
    EXPECT_EQ(first.level, ProblemLevel::finding);
    EXPECT_EQ(first.line, 4u);
    EXPECT_NE(first.message.find("atomicAdd()"), std::string::npos) << first.message;
    EXPECT_EQ(d.state().runs.result->looked_for, Sanitize::all);
    d.screenshots("findings");

    // Off: what costs nothing is still found, races are not.
    d.palette("races off");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().frame.preferences.looking, Looking::off);
    EXPECT_EQ(problem_with_id(d.state(), "race"), nullptr);
    d.palette("races always");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_NE(problem_with_id(d.state(), "race"), nullptr);
  });
}

TEST_F(FindingsWindow, AFixSaysWhatItWinsAndWinsIt) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(SetBlock{{7, 7, 1}});
    ASSERT_TRUE(d.wait_for_result());
    if (!d.state().runs.result->occupancy) GTEST_SKIP() << "no linker, so no times";
    const Problem* warning = problem_with_id(d.state(), "block_not_multiple_of_warp");
    ASSERT_TRUE(warning && warning->fix);
    EXPECT_NE(warning->fix->label.find(" → "), std::string::npos) << warning->fix->label;
    const double before = *d.state().runs.result->time.kernel;
    d.screenshots("tried_fix");
    d.palette("fix try");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_LT(*d.state().runs.result->time.kernel, before / 1.3);
    EXPECT_EQ(problem_with_id(d.state(), "block_not_multiple_of_warp"), nullptr);
  });
}

TEST_F(FindingsWindow, ATinyInputDoesNotDrownInWarnings) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("index_map_1d");
    d.shell.actions().push(SetValue{"n", 10});
    ASSERT_TRUE(d.wait_for_result());
    size_t warnings = 0, notes = 0;
    for (const Problem& problem : d.state().problems.all) {
      warnings += problem.level == ProblemLevel::warning;
      notes += problem.id == "small_input";
    }
    EXPECT_LE(warnings, 1u);
    EXPECT_EQ(notes, 1u);
    d.screenshot("tiny_input_1920x1080_dark");
  });
}

// The choice is kept with the settings.
TEST_F(FindingsWindow, WhatIsLookedForIsKept) {
  const fs::path config = folder / "config";
  fs::create_directories(config);
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.ui->ItemClick("//##top/View");
        d.ui->Yield(4);
        d.screenshot("looking_menu_1920x1080_dark");
        d.ui->KeyPress(ImGuiKey_Escape);
        d.palette("races always");
        ASSERT_TRUE(d.wait_for_result());
      },
      {}, make_worker_calls(), config);
  drive([](Driver& d) { EXPECT_EQ(d.state().frame.preferences.looking, Looking::always); }, {},
        make_worker_calls(), config);
}

}  // namespace THIS_FILE
}  // namespace warplens
