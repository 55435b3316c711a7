// A fault is marked in red where it is: in the code, the grid, the picture and the memory.
#include <algorithm>

#include "app/views/model/grid_map_picture.h"
#include "app/widgets/look.h"
#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class FaultMarks : public WindowTest {};

constexpr uint32_t dark_fault = 0xff5c5c;

// Pixels that are nearly of this colour, in a part of the window.
size_t pixels_like(const Image& image, ImRect part, uint32_t rgb) {
  size_t found = 0;
  for (auto y = static_cast<size_t>(std::max(0.0f, part.Min.y)); y < image.height && float(y) < part.Max.y;
       ++y) {
    for (auto x = static_cast<size_t>(std::max(0.0f, part.Min.x)); x < image.width && float(x) < part.Max.x;
         ++x) {
      const uint8_t* pixel = image.pixels.data() + (y * image.width + x) * image.channels;
      int away = 0;
      for (int c = 0; c < 3; ++c)
        away = std::max(away, std::abs(int(pixel[c]) - int(rgb >> (16 - 8 * c) & 255)));
      found += away <= 6 ? 1 : 0;
    }
  }
  return found;
}

ImRect whole(Driver& d, const char* panel) { return d.ui->GetWindowByRef(panel)->InnerRect; }

TEST_F(FaultMarks, StandInEveryView) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add_unchecked");
    d.shell.actions().push(ShowView{View::grid});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_EQ(d.state().runs.result->faults.size(), 1u);
    // The fault's block: the last of 40.
    d.ui->MouseMoveToVoid();
    d.ui->Yield(4);
    const auto cell = [&](uint64_t column, uint64_t row) {  // the map moves when the inspector appears
      const ImRect map = d.ui->ItemInfo("//###grid/##map").RectFull;
      const MapFrame frame =
          frame_of(8, 5, {map.Min.x, map.Min.y, map.GetWidth(), map.GetHeight()}, {}, largest_block_cell);
      const Box box = frame.box_of({column, row});
      return ImRect{box.x, box.y, box.right(), box.bottom()};
    };
    const Image grid = d.picture();
    EXPECT_GT(pixels_like(grid, cell(7, 4), dark_fault), 100u);
    EXPECT_EQ(pixels_like(grid, cell(5, 3), dark_fault), 0u);
    // A click on the problem pins its thread; the inspector has the access that was refused.
    const auto& problems = d.state().problems.all;
    const auto fault = std::ranges::find(problems, ProblemLevel::fault, &Problem::level);
    ASSERT_NE(fault, problems.end());
    d.shell.actions().push(SelectProblem{static_cast<size_t>(fault - problems.begin())});
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    ASSERT_TRUE(d.wait_for_inspector());
    EXPECT_EQ(d.state().selection.pinned.thread, (Dim3{16, 0, 0}));
    EXPECT_EQ(d.state().selection.pinned.line, 6u);
    EXPECT_GT(pixels_like(d.picture(), whole(d, "//###inspector_card"), dark_fault), 50u);
    d.ui->ItemClick("//###grid/level:grid");
    d.screenshot("fault_grid_1920x1080_dark");
    for (const char* level : {"block", "warp", "lane"}) {
      // The breadcrumb has the levels that are open; a double click opens the next one.
      d.shell.actions().push(Pin{d.state().selection.pinned});
      const ImRect canvas =
          d.ui->ItemInfo(std::string(level) == "block" ? "//###grid/##map" : "//###grid/##block").RectFull;
      d.ui->MouseMoveToPos(std::string(level) == "block"
                               ? cell(7, 4).GetCenter()
                               : ImVec2{canvas.Min.x + canvas.GetWidth() * 16.5f / 32, canvas.Min.y + 8});
      // On a busy machine two clicks may be too far apart for a double click.
      for (int i = 0; i < 5 && (i == 0 || !d.ui->ItemExists("//###grid/##block")); ++i) {
        d.ui->MouseDoubleClick();
        d.ui->Yield(4);
      }
      if (std::string(level) == "block") {
        const Image block = d.picture();
        EXPECT_GT(pixels_like(block, d.ui->ItemInfo("//###grid/##block").RectFull, dark_fault), 30u);
      }
      d.screenshot(std::string("fault_") + level + "_1920x1080_dark");
    }
    EXPECT_GT(pixels_like(d.picture(), whole(d, "//###grid"), dark_fault), 60u) << "refused x[10000]";
    for (const View view : {View::image, View::memory, View::code}) {
      d.shell.actions().push(ShowView{view});
      d.ui->Yield(30);
      const std::string name = row_of(view).name;
      // Under the line's number it is lighter, so that the number is read.
      const uint32_t wanted = view == View::code ? mix(look().palette.panel, dark_fault, 0.45) : dark_fault;
      EXPECT_GT(pixels_like(d.picture(), whole(d, ("//###" + name).c_str()), wanted), 60u) << name;
      d.screenshots("fault_" + name);
    }
    // A kernel without a fault has no red anywhere in these views.
    d.choose_kernel("vector_add");
    ASSERT_TRUE(d.wait_for_result());
    for (const View view : {View::grid, View::image, View::memory, View::code}) {
      d.shell.actions().push(ShowView{view});
      d.ui->Yield(30);
      const std::string name = row_of(view).name;
      EXPECT_EQ(pixels_like(d.picture(), whole(d, ("//###" + name).c_str()), dark_fault), 0u) << name;
    }
  });
}

// The fix of the fault replaces the kernel: the Code view shows the differences, and Undo restores the old
// one.
TEST_F(FaultMarks, TheirFixShowsWhatItChanges) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add_unchecked");
    ASSERT_TRUE(d.wait_for_result());
    const auto& problems = d.state().problems.all;
    const auto fault = std::ranges::find(problems, ProblemLevel::fault, &Problem::level);
    ASSERT_NE(fault, problems.end());
    ASSERT_TRUE(fault->fix);
    d.shell.actions().push(ApplyFix{*fault->fix});
    ASSERT_TRUE(d.wait_for_result());
    d.ui->Yield(10);
    EXPECT_EQ(d.state().setup.launch.kernel, "vector_add");
    EXPECT_EQ(d.state().frame.view, View::code);
    d.screenshots("fix_code");
    d.ui->ItemClick("//###code/Undo##change");
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().setup.launch.kernel, "vector_add_unchecked");
    EXPECT_EQ(d.state().code.changed_from, "");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
