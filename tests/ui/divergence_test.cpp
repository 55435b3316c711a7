// What each thread of a block did, as a map: Mandelbrot's cost of each thread.
#include <algorithm>

#include "app/base/draw/amounts.h"
#include "app/views/model/grid_map_picture.h"
#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Divergence : public WindowTest {};

uint32_t colour_near(const Image& image, ImVec2 at) {
  const uint8_t* rgb = image.pixels.data() +
                       (static_cast<size_t>(at.y) * image.width + static_cast<size_t>(at.x)) * image.channels;
  return uint32_t{rgb[0]} << 16 | uint32_t{rgb[1]} << 8 | rgb[2];
}

TEST_F(Divergence, IsAMapOfTheThreadsOfABlock) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("mandelbrot");
    d.shell.actions().push(ShowView{View::grid});
    ASSERT_TRUE(d.wait_for_result());
    // At the rim of the set.
    d.shell.actions().push(Pin{{Dim3{26, 17, 0}, std::nullopt, std::nullopt}});
    d.ui->Yield(4);
    const ImRect map = d.ui->ItemInfo("//###grid/##map").RectFull;
    const Dim3 grid = d.state().runs.result->shape.grid;
    const MapFrame frame = frame_of(grid.x, grid.y, {map.Min.x, map.Min.y, map.GetWidth(), map.GetHeight()},
                                    {}, largest_block_cell);
    const Point block = frame.box_of({26, 17}).centre();
    d.ui->MouseMoveToPos({block.x, block.y});
    d.ui->MouseDoubleClick();
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    d.ui->Yield(6);
    d.ui->ItemClick("//###grid/threads:passes");
    d.ui->MouseMoveToVoid();
    d.ui->Yield(6);
    const auto& threads = d.state().footprint.replayed->threads;
    ASSERT_EQ(threads.size(), 256u);
    const auto [least, most] = std::ranges::minmax_element(threads, {}, &ThreadCounts::loop_passes);
    ASSERT_LT(least->loop_passes, most->loop_passes) << "the block is not at the rim";
    const ImRect lanes = d.ui->ItemInfo("//###grid/##block").RectFull;
    const MapFrame inner = frame_of(16, 16, {lanes.Min.x, lanes.Min.y, lanes.GetWidth(), lanes.GetHeight()},
                                    {}, largest_lane_cell);
    const Image image = d.picture();
    const auto colour_of_thread = [&](auto thread) {
      const auto index = static_cast<uint64_t>(thread - threads.begin());
      const Box cell = inner.box_of({index % 16, index / 16});
      return colour_near(image, {cell.x + cell.width / 2, cell.y + 3});
    };
    EXPECT_EQ(colour_of_thread(least), viridis(0));
    EXPECT_EQ(colour_of_thread(most), viridis(1));
    d.screenshots("divergence_grid");
    d.shell.actions().push(ShowView{View::image});
    d.ui->Yield(20);
    d.ui->ItemClick("//###image/cost");
    d.ui->Yield(4);
    d.screenshot("divergence_image_1920x1080_dark");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
