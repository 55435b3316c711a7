// Cells in the window have their own colour up to their edges, as they have in files.
#include <algorithm>

#include "app/views/model/grid_map_picture.h"
#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Cells : public WindowTest {};

uint32_t pixel_at(const Image& image, float x, float y) {
  const auto column = static_cast<size_t>(x), row = static_cast<size_t>(y);
  const uint8_t* rgb = image.pixels.data() + (row * image.width + column) * image.channels;
  return uint32_t{rgb[0]} << 16 | uint32_t{rgb[1]} << 8 | rgb[2];
}

// The pixels of one cell along a line at `share` of its height that differ in colour from the cell's centre.
// `margin` pixels at either border are ignored.
size_t mixed_pixels(const Image& image, ImRect cell, float share, float margin) {
  const float y = cell.Min.y + share * cell.GetHeight();
  const uint32_t middle = pixel_at(image, cell.GetCenter().x, y);
  size_t mixed = 0;
  for (float x = cell.Min.x + margin; x < cell.Max.x - margin; ++x)
    mixed += pixel_at(image, x, y) != middle ? 1 : 0;
  return mixed;
}

// A cell of the Grid view's map, at its initial position.
ImRect cell_of_map(Driver& d, uint64_t columns, uint64_t rows, Cell at) {
  const ImRect map = d.ui->ItemInfo("//###grid/##map").RectFull;
  const MapFrame frame = frame_of(columns, rows, {map.Min.x, map.Min.y, map.GetWidth(), map.GetHeight()}, {},
                                  largest_block_cell);
  const Box box = frame.box_of(at);
  return {{box.x, box.y}, {box.right(), box.bottom()}};
}

// vector_add has 40 blocks in five rows of eight. The last one does less than the others.
TEST_F(Cells, OfTheHeatMapDoNotMix) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("vector_add");
    d.shell.actions().push(ShowView{View::grid});
    ASSERT_TRUE(d.wait_for_result());
    d.ui->MouseMoveToVoid();
    d.ui->Yield(6);
    const ImRect last = cell_of_map(d, 8, 5, {7, 4}), before = cell_of_map(d, 8, 5, {6, 4});
    const Image image = d.picture();
    ASSERT_GT(image.width, 0u) << "no picture";
    const float share = 0.15f;  // above the numbers of the blocks
    EXPECT_NE(pixel_at(image, last.GetCenter().x, last.Min.y + share * last.GetHeight()),
              pixel_at(image, before.GetCenter().x, before.Min.y + share * before.GetHeight()))
        << "the test looks at the wrong place";
    // The neighbours at the left and above keep their colour up to the border; the last one is partly
    // hatched.
    const ImRect above = cell_of_map(d, 8, 5, {7, 3});
    EXPECT_EQ(mixed_pixels(image, before, share, 4), 0u);
    EXPECT_EQ(mixed_pixels(image, above, 1 - 4 / above.GetHeight(), 4), 0u);
    EXPECT_EQ(pixel_at(image, above.GetCenter().x, above.Max.y - 4),
              pixel_at(image, above.GetCenter().x, above.Min.y + 4));
    d.screenshot("cells_heat_1920x1080_dark");
  });
}

// The pixels of a photograph, zoomed in until each of them is a cell.
TEST_F(Cells, OfAZoomedPhotographDoNotMix) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("grayscale");
    d.shell.actions().push(ShowView{View::image});
    ASSERT_TRUE(d.wait_for_result());
    d.ui->ItemClick("//###image/mode:result");
    d.ui->Yield(2);
    d.ui->ItemClick("//###image/raster");
    const ImRect canvas = d.ui->ItemInfo("//###image/##picture").RectFull;
    d.ui->MouseMoveToPos(canvas.GetCenter());
    for (int i = 0; i < 18; ++i) d.ui->MouseWheelY(1);
    d.ui->MouseMoveToVoid();
    d.ui->Yield(6);
    const Image image = d.picture();
    ASSERT_GT(image.width, 0u) << "no picture";
    // Runs of one colour along a line through the canvas: cells, then a border of a few pixels. Some lines go
    // through the numbers in the cells.
    const auto cells_along = [&](float y) {
      size_t cells = 0, run = 0;
      uint32_t last = 0;
      for (float x = canvas.Min.x + 2; x < canvas.Max.x - 2; ++x) {
        const uint32_t colour = pixel_at(image, x, y);
        run = colour == last ? run + 1 : 1;
        last = colour;
        cells += run == 24 ? 1 : 0;
      }
      return cells;
    };
    size_t most = 0;
    for (int down = 0; down < 44; down += 2)
      most = std::max(most, cells_along(canvas.GetCenter().y + float(down)));
    EXPECT_GT(most, 20u) << "cells of one colour that are at least 24 pixels wide";
    d.screenshot("cells_photograph_1920x1080_dark");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
