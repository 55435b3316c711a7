// One lecture, as a teacher gives it: a photograph, an odd block, its warning and the fix, the sweep over
// block sizes, and a pixel explained in present mode. Each step writes a picture.
#include <filesystem>

#include "app/views/timing/picture.h"
#include "core/image/image.h"
#include "core/job/sweep.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Lecture : public WindowTest {};

// 500 × 333: neither extent is a multiple of a usual block.
std::filesystem::path photograph() {
  Image image = rendered_sample(500, 333);
  const auto path = std::filesystem::path(testing::TempDir()) / "lecture_photograph.png";
  EXPECT_TRUE(save_image(image, path.string()));
  return path;
}

TEST_F(Lecture, GoesFromAPhotographToTheBestBlockWithoutADetour) {
  const std::string path = photograph().string();
  drive([&](Driver& d) {
    d.shell.window().draw_frames(true);  // as on a screen
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("grayscale");
    d.shell.actions().push(OpenFile{path});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_until([&] {
      const auto& image = d.state().setup.launch.image;
      return image != nullptr && image->width == 500 && d.shell.settled();
    }));
    d.screenshot("lecture_1_photograph");
    d.shell.window().draw_frames(false);  // the processor draws a frame slowly: from here the pictures alone

    d.type_number("launch", "block_x", 7);
    d.type_number("launch", "block_y", 7);
    ASSERT_TRUE(d.wait_for_result());
    const auto offered = [&]() -> const Problem* {
      for (const Problem& problem : d.state().problems.all)
        if (problem.fix && problem.fix->block) return &problem;
      return nullptr;
    };
    ASSERT_TRUE(d.wait_until([&] { return offered() != nullptr; }))
        << "a launch that was tried and is better";
    EXPECT_NE(offered()->fix->label.find("→"), std::string::npos) << offered()->fix->label;
    const Dim3 better = *offered()->fix->block;
    d.screenshot("lecture_2_odd_block");

    d.ui->KeyPress(ImGuiMod_Alt | ImGuiKey_Enter);  // takes the offered fix
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, better);
    EXPECT_EQ(better.count() % 32, 0u);
    d.screenshot("lecture_3_mended");

    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_6);
    d.ui->Yield(4);
    ASSERT_EQ(d.state().frame.view, View::timing);
    const std::string chip =
        std::string("//###timing/") + std::string(name_of(TimingVerb::mode)) + to_string(TimingMode::blocks);
    d.ui->ItemClick(chip.c_str());
    ASSERT_TRUE(d.wait_until([&] {
      const SweepState& sweep = d.state().sweeps[static_cast<size_t>(SweepKind::blocks)];
      return sweep.result && sweep.result->complete() && !sweep.wanted;
    }));
    d.screenshot("lecture_4_sweep");

    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_2);
    d.ui->Yield(4);
    const ImRect picture = d.ui->ItemInfo("//###image/##picture").RectFull;
    d.ui->MouseMoveToPos(picture.GetCenter());
    d.ui->MouseClick();
    ASSERT_TRUE(d.wait_for_inspector());
    ASSERT_TRUE(d.state().selection.pinned.element);
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(10);
    EXPECT_TRUE(d.state().frame.present);
    d.screenshot("lecture_5_present");
    d.ui->KeyPress(ImGuiKey_F5);  // clickers send it
    d.ui->Yield(4);
    EXPECT_EQ(d.state().runs.now.phase, RunPhase::idle);
    d.ui->KeyPress(ImGuiKey_F11);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
