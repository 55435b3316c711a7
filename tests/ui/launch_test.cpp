// The Launch panel, driven as a person would.
#include <imgui_internal.h>

#include <filesystem>

#include "app/widgets/look.h"
#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class LaunchPanel : public WindowTest {};

const Problem* problem_of(const AppState& state, const std::string& id) {
  for (const Problem& problem : state.problems.all) {
    if (problem.id == id) return &problem;
  }
  return nullptr;
}

TEST_F(LaunchPanel, ShowsGrayscaleAlreadyRunAtFirstStart) {
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

TEST_F(LaunchPanel, ANewBlockRunsAtOnceAndCanBeUndone) {
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

TEST_F(LaunchPanel, ABlockThatIsTypedIntoThePaletteIsSet) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.palette("block 32x8");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{32, 8, 1}));
    d.palette("grid 4x4");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.grid, (Dim3{4, 4, 1}));
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_TRUE(d.state().setup.launch.fit_grid) << "like a slider, it can be undone";
    for (const char* typed : {"block 16 x 16", "block 2048"}) {
      d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      d.ui->Yield(3);
      d.ui->KeyChars(typed);
      d.ui->Yield(3);
      d.screenshots(std::string("palette_") + (std::string_view(typed) == "block 2048" ? "beyond" : "block"));
      d.ui->KeyPress(ImGuiKey_Escape);
      d.ui->Yield(3);
    }
    d.palette("block 2048");
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().setup.launch.block, (Dim3{32, 8, 1})) << "beyond the limit nothing is set";
  });
}

TEST_F(LaunchPanel, TheListOfPicturesHasTheRecentOnesAndOpen) {
  const auto path = std::filesystem::path(testing::TempDir()) / "recent_picture.png";
  ASSERT_TRUE(save_image(rendered_sample(64, 48), path.string()));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChoosePicture{path.string()});
    ASSERT_TRUE(d.wait_until([&] { return d.state().setup.launch.image->width == 64; }));
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_FALSE(d.state().files.samples.empty());
    d.shell.actions().push(ChoosePicture{d.state().files.samples.front().name});
    ASSERT_TRUE(d.wait_until([&] { return d.state().setup.launch.image->width != 64; }));
    ASSERT_TRUE(d.wait_for_result());
    for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
      d.resize(width, height);  // it closes the list
      d.ui->ItemClick("//###launch/rgb/##picture");
      d.ui->Yield(4);
      d.screenshot("picture_list_" + std::to_string(width) + "x" + std::to_string(height));
    }
    std::string row = "//$FOCUSED/recent_picture.png##";
    for (const char letter : path.string())
      row += letter == '/' ? std::string("\\/") : std::string(1, letter);
    d.ui->ItemClick(row.c_str());
    ASSERT_TRUE(d.wait_until([&] { return d.state().setup.launch.image->width == 64; }));
    d.ui->ItemClick("//###launch/rgb/##picture");
    d.ui->Yield(4);
    d.ui->ItemClick("//$FOCUSED/Open…");
    ASSERT_TRUE(d.wait_until([&] { return d.state().frame.dialog == Dialog::open_picture; }, 5))
        << "the tests' desktop has no dialog of its own";
  });
}

TEST_F(LaunchPanel, ANumberBeyondTheLimitsSaysSo) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        const auto card = [&d] {
          d.ui->Yield(2);
          const ImGuiWindow* window = ImGui::FindWindowByName("##limit");
          return window != nullptr && window->Active;
        };
        d.type_number("launch", "block_x", 1025);
        EXPECT_EQ(d.state().setup.launch.block.x, 1024u);
        EXPECT_TRUE(card());
        d.screenshot("launch_too_large_1280x720");
        d.type_number("launch", "block_x", 32);
        EXPECT_FALSE(card()) << "it goes with the next number";
        d.type_number("launch", "block_y", 0);
        EXPECT_EQ(d.state().setup.launch.block.y, 1u);
        EXPECT_TRUE(card());
        d.type_number("launch", "block_y", 8);
        // More blocks than the slider's end can be typed, up to the device's limit.
        d.ui->ItemClick("//###launch/fit to problem");
        d.type_number("launch", "grid_x", 99999);
        EXPECT_EQ(d.state().setup.launch.grid.x, 99999u);
        EXPECT_FALSE(card());
        d.type_number("launch", "grid_y", 99999);
        EXPECT_EQ(d.state().setup.launch.grid.y, 65535u);
        EXPECT_TRUE(card());
        d.let_pass(4.5);
        EXPECT_FALSE(card()) << "and by itself";
      },
      small_window());
}

TEST_F(LaunchPanel, ADragOfASliderIsOneUndoStep) {
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

TEST_F(LaunchPanel, ABlockOf32By33IsRefusedWithCudasError) {
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

TEST_F(LaunchPanel, AWarningsButtonMendsIt) {
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

TEST_F(LaunchPanel, TheUncheckedKernelFaultsAndTheProgramGoesOn) {
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

TEST_F(LaunchPanel, NumberBoxesShowAllDigitsAndTakeSeparators) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
      d.resize(width, height);
      d.choose_kernel("vector_add");
      ASSERT_TRUE(d.wait_for_result());
      d.ui->ItemInput("//###launch/n/##number_n");
      d.ui->KeyCharsReplaceEnter("4,194,304");
      d.ui->Yield(3);
      EXPECT_EQ(d.state().setup.launch.values["n"], 4194304);
      const float room = d.ui->ItemInfo("//###launch/n/##number_n").RectFull.GetWidth();
      ImGui::PushFont(look().mono, body_size);
      const float needed = ImGui::CalcTextSize("33,554,432").x + 2 * ImGui::GetStyle().FramePadding.x;
      ImGui::PopFont();
      EXPECT_GE(room, needed);
      d.screenshot("numbers_" + std::to_string(width) + "x" + std::to_string(height));
      d.ui->ItemInput("//###launch/n/##number_n");
      d.ui->KeyCharsReplaceEnter("12x");
      d.ui->Yield(3);
      EXPECT_EQ(d.state().setup.launch.values["n"], 4194304) << "what is no number changes nothing";
      d.ui->ItemInput("//###launch/n/##number_n");
      d.ui->KeyCharsReplaceEnter("1e4");
      ASSERT_TRUE(d.wait_for_result());
      EXPECT_EQ(d.state().setup.launch.values["n"], 10000);
      d.choose_kernel("grayscale");
      ASSERT_TRUE(d.wait_for_result());
    }
  });
}

// The figures are above the controls: a drag must not move the control that is dragged.
TEST_F(LaunchPanel, TheControlsStayWhereTheyAreWhileOneIsDragged) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}, std::pair{1000, 420}}) {
      d.resize(width, height);
      const auto place = [&] { return d.ui->ItemInfo("//###launch/##slide_block_x").RectFull; };
      const ImRect before = place();
      for (const uint32_t x : {1u, 7u, 100u, 1024u, 2000u}) {
        d.shell.actions().push(SetBlock{{x, x > 64 ? 1u : 16u, 1}, true});
        d.ui->Yield(3);
        EXPECT_EQ(place().Min.y, before.Min.y) << x << " at " << width;
        EXPECT_EQ(place().Max.x, before.Max.x) << x << " at " << width;
      }
      d.shell.actions().push(SetBlock{{16, 16, 1}});
      ASSERT_TRUE(d.wait_for_result());
    }
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
