// The ways into the Step view, and what is in sight of it on a projector.
#include <imgui_internal.h>

#include "tests/ui/step_driver.h"

namespace warplens {
namespace THIS_FILE {

using namespace step_view;

class StepEntrances : public WindowTest {
 protected:
  OwnKernels kernels;
};

Pick thread_at(Dim3 block, Dim3 thread) {
  Pick pick;
  pick.block = block;
  pick.thread = thread;
  return pick;
}

bool is_at(Driver& d, Dim3 block, uint32_t warp, uint32_t lane) {
  return wait_for_step(d) && d.state().frame.view == View::step && step_of(d).block == block &&
         step_of(d).shown->warp == warp && step_of(d).lane == lane;
}

TEST_F(StepEntrances, GridImageMemoryAndInspectorStepThePinnedThread) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(Pin{thread_at({1, 2, 0}, {5, 3, 0})});
    ASSERT_TRUE(d.wait_for_inspector());
    const uint32_t index = 3 * d.state().runs.result->shape.block.x + 5;
    const uint32_t warp = index / 32, lane = index % 32;
    for (const auto& [view, item] : {std::pair{View::memory, "//###memory/step thread"},
                                     std::pair{View::image, "//###inspector_card/step thread"}}) {
      d.shell.actions().push(ShowView{view});
      d.ui->Yield(10);
      ASSERT_TRUE(d.wait_until([&] { return d.ui->ItemExists(item); })) << item;
      ASSERT_TRUE(d.wait_for_work()) << "what comes later moves it";
      d.ui->ItemClick(item);
      ASSERT_TRUE(d.wait_until([&] { return d.state().frame.view == View::step; })) << item;
      EXPECT_TRUE(is_at(d, {1, 2, 0}, warp, lane)) << item;
    }
    // In the grid, where the threads of a block are shown.
    d.shell.actions().push(ShowView{View::grid});
    d.ui->Yield(10);
    // On a busy machine two clicks may be too far apart for a double click.
    for (int i = 0; i < 5 && !d.ui->ItemExists("//###grid/##block"); ++i) {
      d.ui->MouseMoveToPos(d.ui->ItemInfo("//###grid/##map").RectFull.GetCenter());
      d.ui->MouseDoubleClick();
      d.ui->Yield(6);
    }
    d.shell.actions().push(Pin{thread_at({1, 2, 0}, {5, 3, 0})});
    ASSERT_TRUE(d.wait_until([&] { return d.ui->ItemExists("//###inspector_card/step thread"); }));
    ASSERT_TRUE(d.wait_for_work());
    d.ui->ItemClick("//###inspector_card/step thread");
    EXPECT_TRUE(is_at(d, {1, 2, 0}, warp, lane));
    d.shell.actions().push(ShowView{View::occupancy});
    d.ui->Yield(4);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_5);
    EXPECT_TRUE(d.wait_until([&] { return is_at(d, {1, 2, 0}, warp, lane); })) << "the key does it anywhere";
  });
}

TEST_F(StepEntrances, TheFirstDifferenceOfTwoRunsIsSteppedInBoth) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ChooseKernel{"mandelbrot"});
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(PinBaseline{d.state().runs.now.shown});
    d.ui->Yield(4);
    d.shell.actions().push(SetValue{"max_iterations", 7});
    ASSERT_TRUE(d.wait_for_result());
    const uint64_t shown = d.state().runs.now.shown, baseline = d.state().runs.baseline->serial;
    ASSERT_NE(shown, baseline);
    const auto element = first_difference(d.state());
    ASSERT_TRUE(element);
    const auto at_element = [&] {
      if (!wait_for_step(d) || step_of(d).shown->touched.empty()) return std::string("nothing");
      const auto& access = step_of(d).shown->touched.back();
      return stepping::place_text(step_of(d).shown->named, access.space, access.address[step_of(d).lane],
                                  access.bytes);
    };
    d.shell.actions().push(StepDifference{});
    ASSERT_TRUE(d.wait_until([&] { return d.state().frame.view == View::step; }));
    EXPECT_EQ(at_element(), "rgb[" + std::to_string(element->index) + "]");
    EXPECT_EQ(d.state().runs.now.shown, shown);
    d.shell.actions().push(StepDifference{true});
    ASSERT_TRUE(
        d.wait_until([&] { return d.state().runs.now.shown == baseline && step_of(d).run == baseline; }));
    EXPECT_EQ(at_element(), "rgb[" + std::to_string(element->index) + "]");
  });
}

// Whether an item is inside the window, as wide as it is high or wider: nothing is cut to a letter.
bool in_sight(Driver& d, const std::string& item) {
  const std::string path = (d.state().frame.present ? "//##present/" : "//###step/") + item;
  if (!d.ui->ItemExists(path.c_str())) return false;
  const ImRect box = d.ui->ItemInfo(path.c_str()).RectFull;
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  return box.Min.x >= 0 && box.Min.y >= 0 && box.Max.x <= room.x + 1 && box.Max.y <= room.y + 1 &&
         box.GetWidth() > 3;
}

void expect_usable(Driver& d, const char* where) {
  const StepSnapshot& shown = *step_of(d).shown;
  EXPECT_TRUE(in_sight(d, "line:" + std::to_string(shown.line))) << where << ": the current line";
  EXPECT_TRUE(in_sight(d, "lane:0")) << where << ": the shown warp";
  EXPECT_TRUE(in_sight(d, "lane:31")) << where;
  for (const char* item : {"do:1", "do:3", "play", "do:15"})
    EXPECT_TRUE(in_sight(d, item)) << where << ": " << item;
  EXPECT_TRUE(in_sight(d, "##scrubber")) << where;
}

TEST_F(StepEntrances, TheViewIsUsableOnAProjectorAndWithLargeText) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    ASSERT_TRUE(click(d, "line:13"));
    for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
      d.resize(width, height);
      const std::string size = std::to_string(width) + "x" + std::to_string(height);
      d.ui->Yield(6);
      expect_usable(d, size.c_str());
      d.shell.actions().push(SetTextScale{2.5f});
      d.ui->Yield(12);
      expect_usable(d, (size + " at 250 %").c_str());
      d.screenshot("step_large_" + size + "_text250");
      d.shell.actions().push(SetTextScale{1});
      d.ui->Yield(8);
      d.shell.actions().push(Present{true});
      d.ui->Yield(12);
      expect_usable(d, (size + " presented").c_str());
      d.screenshot("step_present_" + size);
      d.shell.actions().push(Present{false});
      d.ui->Yield(8);
    }
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
