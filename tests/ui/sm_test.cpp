// The SM view in the window: zoom, what a bar says, a click that selects its line, play, keys, a baseline.
#include <imgui_internal.h>

#include "app/window/frame/veil.h"
#include "tests/ui/driver.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class SmWindow : public WindowTest {
 protected:
  static void open(Driver& d, const char* kernel) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel(kernel);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_M);
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_EQ(d.state().frame.view, View::sm);
    ASSERT_TRUE(is_there(d, "play"));
  }
  static bool is_there(Driver& d, const std::string& id) {
    return d.ui->ItemExists(("//###sm/" + id).c_str());
  }
  static bool is_zoomed(Driver& d) { return is_there(d, "all_time"); }
  static void click(Driver& d, const std::string& id) {
    d.ui->ItemClick(("//###sm/" + id).c_str());
    d.ui->Yield(3);
  }
  // A share of the picture's time and of its height.
  static ImVec2 place(Driver& d, float time, float height) {
    const ImRect box = d.ui->ItemInfo("//###sm/##time").RectFull;
    return {box.Min.x + box.GetWidth() * time, box.Min.y + box.GetHeight() * height};
  }
  static void press(Driver& d, ImGuiKeyChord key) {
    d.ui->KeyPress(key);
    d.ui->Yield(3);
  }
  static bool has_tip() {
    const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
    return tip != nullptr && tip->Active;
  }
};

TEST_F(SmWindow, ABarSaysWhatItsWarpWaitsForAndAClickSelectsItsLine) {
  drive([](Driver& d) {
    open(d, "grayscale");
    d.screenshots("sm");
    for (int i = 0; i < 6; ++i) click(d, "nearer");
    EXPECT_TRUE(is_zoomed(d));
    d.ui->MouseMoveToPos(place(d, 0.5f, 0.5f));
    d.ui->Yield(3);
    EXPECT_TRUE(has_tip());
    EXPECT_NE(d.state().selection.hover.line, 0u);
    const uint32_t line = d.state().selection.hover.line;
    d.keep(d.picture(), "sm_tip_1920x1080_dark");
    d.ui->MouseClick();
    d.ui->Yield(30);
    EXPECT_EQ(d.state().selection.pinned.line, line);
    EXPECT_TRUE(d.state().selection.pinned.thread);
    d.ui->Yield(60);  // a card comes in
    d.keep(d.picture(), "sm_pinned_1920x1080_dark");
    press(d, ImGuiKey_F);
    EXPECT_FALSE(is_zoomed(d));
    d.screenshot("sm_line_1920x1080_dark");
    press(d, ImGuiKey_F11);
    d.screenshot("sm_present_1920x1080_dark");
  });
}

TEST_F(SmWindow, WheelAndKeysZoomAndMove) {
  drive(
      [](Driver& d) {
        open(d, "grayscale");
        d.ui->MouseMoveToPos(place(d, 0.3f, 0.5f));
        d.ui->MouseWheelY(4);
        d.ui->Yield(3);
        EXPECT_TRUE(is_zoomed(d));
        press(d, ImGuiKey_F);
        EXPECT_FALSE(is_zoomed(d));
        press(d, ImGuiKey_Equal);
        EXPECT_TRUE(is_zoomed(d));
        press(d, ImGuiKey_Minus);
        EXPECT_FALSE(is_zoomed(d));
        for (int i = 0; i < 12; ++i) press(d, ImGuiKey_Equal);
        d.ui->MouseMoveToPos(place(d, 0.5f, 0.6f));
        d.ui->Yield(3);
        d.screenshot("sm_cycles_1280x720_dark");
        EXPECT_FALSE(ImGui::GetIO().NavVisible);
        press(d, ImGuiKey_RightArrow);
        EXPECT_FALSE(ImGui::GetIO().NavVisible) << "arrows are the picture's";
        press(d, ImGuiKey_LeftArrow);
        click(d, "all_schedulers");
        d.screenshot("sm_all_near_1280x720_dark");
        press(d, ImGuiKey_F);
        d.screenshot("sm_all_1280x720_dark");
        click(d, "scheduler:2");
        d.screenshot("sm_scheduler_2_1280x720_dark");
      },
      small_window());
}

TEST_F(SmWindow, PlayGoesToTheEnd) {
  drive(
      [](Driver& d) {
        open(d, "vector_add");
        for (int i = 0; i < 3; ++i) click(d, "faster");
        d.ui->MouseMoveToPos(place(d, 0.5f, 0.6f));
        press(d, ImGuiKey_Space);
        EXPECT_TRUE(is_there(d, "pause"));
        ASSERT_TRUE(d.wait_until([&] { return is_there(d, "play"); }, 20)) << "it ends by itself";
        for (int i = 0; i < 3; ++i) click(d, "slower");
        click(d, "play");
        EXPECT_TRUE(is_there(d, "pause")) << "from the start again";
        d.ui->Yield(20);
        d.screenshot("sm_play_1280x720_dark");
        press(d, ImGuiKey_Space);
        EXPECT_TRUE(is_there(d, "play"));
      },
      small_window());
}

TEST_F(SmWindow, TwoBlockSizesAreDrawnOneAboveTheOther) {
  drive([](Driver& d) {
    open(d, "invert");
    d.shell.actions().push(SetBlock{{64, 1, 1}});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_for_work());
    const float alone = d.ui->ItemInfo("//###sm/##time").RectFull.GetWidth();
    click(d, "pin");
    ASSERT_TRUE(d.state().runs.baseline);
    d.shell.actions().push(SetBlock{{256, 1, 1}});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_for_work());
    d.ui->Yield(4);
    EXPECT_EQ(d.ui->ItemInfo("//###sm/##time").RectFull.GetWidth(), alone);
    d.screenshot("sm_baseline_1920x1080_dark");
    click(d, "pin");
    EXPECT_FALSE(d.state().runs.baseline);
  });
}

TEST_F(SmWindow, SaysWhyThereIsNoModel) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.choose_kernel("vector_add_unchecked");
        d.shell.actions().push(ShowView{View::sm});
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_FALSE(is_there(d, "play"));
        d.screenshot("sm_no_model_1280x720_dark");
      },
      small_window());
}

TEST_F(SmWindow, StaysHiddenUntilTheGuessOfALessonIsGiven) {
  drive([](Driver& d) {
    open_step(d, "waiting_well", "two_chains");
    EXPECT_NE(veiled_because(d.state(), View::sm), "");
    EXPECT_NE(veiled_because(d.state(), View::profile), "");
    EXPECT_FALSE(is_there(d, "play"));
    d.screenshots("sm_lesson_asks");
    do_moves(d, current_step(d.state())->solution);
    EXPECT_EQ(veiled_because(d.state(), View::sm), "");
    EXPECT_TRUE(d.wait_until([&] { return is_there(d, "play"); }));
    ASSERT_TRUE(d.state().runs.baseline);
    EXPECT_EQ(d.state().runs.baseline->label, "A") << "as the lesson's text calls it";
    EXPECT_TRUE(d.state().runs.result->sm) << "the lesson's expressions ask for it";
    d.screenshots("sm_lesson_told");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
