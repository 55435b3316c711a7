// The Launch panel, driven as a person would.
#include "tests/ui/driver.h"

namespace warplens {
namespace {

class LaunchPanel : public WindowTest {};

const Problem* problem_of(const AppState& state, const std::string& id) {
  for (const Problem& problem : state.problems.all) {
    if (problem.id == id) return &problem;
  }
  return nullptr;
}

TEST_F(LaunchPanel, shows_grayscale_already_run_at_first_start) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_NE(d.state().runs.result, nullptr);
    EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
    EXPECT_EQ(d.state().setup.launch.kernel, "grayscale");
    ASSERT_FALSE(d.state().runs.result->checks.empty());
    EXPECT_TRUE(d.state().runs.result->checks[0].equal);
    EXPECT_EQ(d.state().runs.history.size(), 1u);
  });
}

TEST_F(LaunchPanel, a_new_block_runs_at_once_and_can_be_undone) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.type_number("launch", "block_x", 32);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{32, 16, 1}));
    EXPECT_EQ(d.state().runs.result->shape.grid.x, (d.state().setup.launch.image->width + 31) / 32);
    d.ui->ItemClick("//###launch/8×8");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{8, 8, 1}));
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{32, 16, 1}));
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{16, 16, 1}));
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{32, 16, 1}));
  });
}

TEST_F(LaunchPanel, a_drag_of_a_slider_is_one_undo_step) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    const size_t before = d.state().undo.done.size();
    d.ui->MouseMove("//###launch/##slide_block_x");
    d.ui->MouseDown();
    for (int i = 0; i < 6; ++i) {
      d.ui->MouseMoveToPos({ImGui::GetMousePos().x + 12, ImGui::GetMousePos().y});
      d.ui->Yield(2);
    }
    d.ui->MouseUp();
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().undo.done.size(), before + 1);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.block, (Dim3{16, 16, 1}));
  });
}

TEST_F(LaunchPanel, a_block_of_32_by_33_is_refused_with_cudas_error) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.type_number("launch", "block_x", 32);
    d.type_number("launch", "block_y", 33);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->status, RunStatus::refused);
    const Problem* refused = problem_of(d.state(), "refused");
    ASSERT_NE(refused, nullptr);
    EXPECT_EQ(refused->title, "cudaErrorInvalidConfiguration");
    EXPECT_FALSE(refused->consequence.empty());
    d.screenshot("refused_1920x1080_dark");
    ASSERT_TRUE(refused->fix.has_value());
    const std::string fix = "//###launch/**/" + refused->fix->label + " ›##fix";
    d.ui->ItemClick(fix.c_str());
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
  });
}

TEST_F(LaunchPanel, a_warnings_button_mends_it) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.type_number("launch", "block_x", 7);
    d.type_number("launch", "block_y", 3);
    ASSERT_TRUE(d.wait_for_result());
    const Problem* warning = nullptr;
    for (const Problem& problem : d.state().problems.all) {
      if (problem.level == ProblemLevel::warning && problem.fix) warning = &problem;
    }
    ASSERT_NE(warning, nullptr) << "21 threads are no whole number of warps";
    const std::string id = warning->id, label = warning->fix->label;
    d.screenshot("warnings_1920x1080_dark");
    d.open_bottom();
    const std::string fix = "//###problems/**/" + label + " ›##fix";
    d.ui->ItemClick(fix.c_str());
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(problem_of(d.state(), id), nullptr) << id << " is still there after: " << label;
  });
}

TEST_F(LaunchPanel, the_unchecked_kernel_faults_and_the_program_goes_on) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add_unchecked");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->status, RunStatus::fault);
    const Problem* fault = problem_of(d.state(), "out_of_bounds");
    ASSERT_NE(fault, nullptr);
    EXPECT_GT(fault->line, 0u);
    EXPECT_TRUE(fault->block && fault->thread);
    d.screenshot("fault_1920x1080_dark");
    ASSERT_TRUE(fault->fix.has_value());
    d.open_bottom();
    d.ui->ItemClick("//###problems/**/Add the bounds check ›##fix");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "vector_add");
    EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
    d.choose_kernel("grayscale");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
  });
}

}  // namespace
}  // namespace warplens
