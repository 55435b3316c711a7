// Present mode: what a teacher shows, and what the keys of a clicker do.
#include <imgui_internal.h>

#include "app/widgets/look.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class PresentMode : public WindowTest {};

ImGuiWindow* shown(const char* name) {
  ImGuiWindow* window = ImGui::FindWindowByName(name);
  return window != nullptr && window->WasActive && !window->Hidden ? window : nullptr;
}

void begin(Driver& d) {
  ASSERT_TRUE(d.wait_for_result());
  d.ui->MouseMoveToPos({900, 500});
  d.ui->KeyPress(ImGuiKey_F11);
  d.ui->Yield(6);
  ASSERT_TRUE(d.state().frame.present);
}

TEST_F(PresentMode, formula_picture_and_code_line_are_seen_together) {
  drive([](Driver& d) {
    begin(d);
    for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
      d.resize(width, height);
      const ImRect alone = d.ui->ItemInfo("//##present/##picture").RectFull;
      EXPECT_GT(alone.GetWidth(), 0.9f * static_cast<float>(width));
      d.shell.actions().push(Pin{{Dim3{19, 7, 0}, Dim3{4, 7, 0}, ElementPick{1, 119 * 512 + 308}}});
      ASSERT_TRUE(d.wait_until([] { return shown("##present_card") != nullptr; }, 5));
      ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
      d.ui->Yield(6);
      const ImRect card = shown("##present_card")->Rect();
      const ImRect picture = d.ui->ItemInfo("//##present/##picture").RectFull;
      EXPECT_FALSE(card.Overlaps(picture)) << "the card is beside the picture";
      EXPECT_TRUE(ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(card));
      EXPECT_EQ(shown("##present_card")->ScrollMax.y, 0) << "all of it is seen: " << height;
      d.screenshot("present_pinned_" + std::to_string(width) + "x" + std::to_string(height));
      d.ui->KeyPress(ImGuiKey_Escape);
      d.ui->Yield(4);
      EXPECT_TRUE(d.state().frame.present) << "Esc lets go first";
      EXPECT_EQ(shown("##present_card"), nullptr);
    }
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(4);
    EXPECT_FALSE(d.state().frame.present);
  });
}

TEST_F(PresentMode, the_bar_comes_with_the_pointer_at_the_lower_edge) {
  drive([](Driver& d) {
    begin(d);
    d.ui->MouseMoveToPos({800, 300});
    d.ui->Yield(4);
    EXPECT_EQ(shown("##present_bar"), nullptr) << "not over the picture";
    d.ui->MouseMoveToPos({900, 1060});
    d.ui->Yield(6);
    const ImGuiWindow* bar = shown("##present_bar");
    ASSERT_NE(bar, nullptr);
    EXPECT_LT(bar->Size.y, 70) << "it is thin";
    EXPECT_TRUE(ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(bar->Rect()));
    d.keep(d.picture(), "present_bar_1920x1080");
    d.ui->ItemInputValue("//##present_bar/##number_block_x", 32);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{32, 16, 1}));
    d.ui->ItemClick("//##present_bar/###kernel");
    d.ui->Yield(2);
    d.ui->KeyChars("mandelbrot");
    d.ui->KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "mandelbrot");
    d.ui->MouseMoveToPos({800, 300});
    d.ui->Yield(6);
    EXPECT_EQ(shown("##present_bar"), nullptr) << "it goes again";
  });
}

TEST_F(PresentMode, clickers_turn_pages_and_do_not_run) {
  drive([](Driver& d) {
    begin(d);
    const uint64_t runs = d.state().runs.recorded;
    d.ui->KeyPress(ImGuiKey_F5);
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().runs.recorded, runs);
    ASSERT_EQ(d.state().frame.view, View::image);
    d.ui->KeyPress(ImGuiKey_PageDown);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.view, View::memory);
    d.ui->KeyPress(ImGuiKey_PageUp, 3);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.view, View::grid) << "the first one stays";
    d.ui->KeyPress(ImGuiKey_PageDown, 20);
    d.ui->Yield(3);
    EXPECT_EQ(d.state().frame.view, View::code) << "and so does the last one";
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_F5);
    ASSERT_TRUE(d.wait_until([&] { return d.state().runs.recorded > runs; }));
  });
}

TEST_F(PresentMode, the_spotlight_goes_off_and_the_screen_blank) {
  drive([](Driver& d) {
    begin(d);
    const auto corner = [&] {
      const Image image = d.picture();
      return image.pixels[3 * (size_t{600} * image.width + 700)];
    };
    const uint8_t dimmed = corner();
    d.ui->KeyPress(ImGuiKey_S);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.preferences.spotlight);
    EXPECT_GT(corner(), dimmed) << "nothing is darker than it is";
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_TRUE(d.state().frame.blank);
    EXPECT_EQ(corner(), 0);
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.blank);
    d.ui->KeyPress(ImGuiKey_F11);
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiKey_S);
    d.ui->KeyPress(ImGuiKey_B);
    d.ui->Yield(3);
    EXPECT_FALSE(d.state().frame.preferences.spotlight) << "elsewhere these are letters";
    EXPECT_FALSE(d.state().frame.blank);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
