// One-dimensional arrays in the Image view are plots, and every array of a kernel can be chosen.
#include <cmath>

#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Arrays : public WindowTest {};

TEST_F(Arrays, ArePlotsInWhichAClickPinsAnElement) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add");
    d.shell.actions().push(ShowView{View::image});
    ASSERT_TRUE(d.wait_for_result());
    d.ui->ItemClick("//###image/array:y");
    d.ui->ItemClick("//###image/mode:result");
    d.ui->Yield(4);
    const ImRect plot = d.ui->ItemInfo("//###image/##picture").RectFull;
    ASSERT_GT(plot.GetWidth(), 100);
    d.ui->MouseMoveToPos({plot.Min.x + plot.GetWidth() * 0.25f, plot.GetCenter().y});
    d.ui->MouseClick();
    d.ui->Yield(4);
    const Selection& selection = d.state().selection;
    ASSERT_TRUE(selection.pinned.element);
    EXPECT_NEAR(static_cast<double>(selection.pinned.element->index), 2500, 25);
    EXPECT_EQ(selection.pinned.block->x, selection.pinned.element->index / 256);
    EXPECT_EQ(selection.pinned.thread->x, selection.pinned.element->index % 256);
    // In other blocks, another thread has the same element.
    const uint64_t index = selection.pinned.element->index;
    d.shell.actions().push(SetBlock{{96, 1, 1}});
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(selection.pinned.element->index, index);
    EXPECT_EQ(selection.pinned.block->x, index / 96);
    EXPECT_EQ(selection.pinned.thread->x, index % 96);
    // The wheel zooms over the pointer, until single elements are bars.
    d.ui->ItemClick("//###image/mode:split");
    d.ui->MouseMoveToPos({plot.Min.x + plot.GetWidth() * 0.25f, plot.GetCenter().y});
    for (int i = 0; i < 25; ++i) d.ui->MouseWheelY(1);
    d.screenshots("arrays_zoomed");
    d.ui->MouseMoveToPos(plot.GetCenter());
    d.ui->KeyPress(ImGuiKey_F);
    d.screenshot("arrays_1920x1080_dark");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
