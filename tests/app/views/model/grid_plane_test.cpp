#include "app/views/model/grid_plane.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens {
namespace THIS_FILE {

class PlaneOf : public testing::TestWithParam<Dim3> {};

// Every position has one cell of its own, and the cell leads back to it.
TEST_P(PlaneOf, PositionsAndCellsAreOneToOne) {
  const Dim3 extent = GetParam();
  const Plane plane = make_plane(extent);
  std::set<std::pair<uint64_t, uint64_t>> cells;
  for (uint64_t i = 0; i < extent.count(); ++i) {
    const Dim3 at = position_at(i, extent);
    const Cell cell = cell_of(plane, at);
    ASSERT_LT(cell.column, plane.columns);
    ASSERT_LT(cell.row, plane.rows);
    ASSERT_TRUE(cells.insert({cell.column, cell.row}).second);
    ASSERT_EQ(position_in(plane, cell), std::optional(at));
  }
  uint64_t filled = 0;
  for (uint64_t row = 0; row < plane.rows; ++row)
    for (uint64_t column = 0; column < plane.columns; ++column)
      filled += position_in(plane, {column, row}).has_value();
  EXPECT_EQ(filled, extent.count());
}

INSTANTIATE_TEST_SUITE_P(Extents, PlaneOf,
                         testing::Values(Dim3{1, 1, 1}, Dim3{32, 32, 1}, Dim3{40, 1, 1}, Dim3{157, 1, 1},
                                         Dim3{1, 4097, 1}, Dim3{100, 2, 1}, Dim3{4, 3, 5}, Dim3{1, 1, 64},
                                         Dim3{7, 13, 2}, Dim3{10000, 1, 1}));

TEST(Plane, LongRowsAreFoldedIntoPleasantRows) {
  EXPECT_EQ(make_plane({40, 1, 1}).columns, 8u);
  const Plane million = make_plane({1'000'000, 1, 1});
  EXPECT_TRUE(million.folded);
  EXPECT_NEAR(static_cast<double>(million.columns) / static_cast<double>(million.rows), 1.6, 0.2);
  EXPECT_EQ(make_plane({256, 1, 1}, 32).columns, 32u);  // a warp a row
  EXPECT_EQ(make_plane({7, 1, 1}, 32).columns, 7u);
  EXPECT_FALSE(make_plane({32, 24, 1}).folded);
}

TEST(Plane, AWidePictureKeepsItsRows) {
  for (const Dim3 extent : {Dim3{3000, 40, 1}, Dim3{40, 3000, 1}, Dim3{1000, 2, 1}}) {
    const Plane plane = make_plane(extent);
    EXPECT_FALSE(plane.folded);
    EXPECT_EQ(cell_of(plane, {7, 1, 0}), (Cell{7, 1})) << "below the pixel above it";
  }
  EXPECT_TRUE(make_plane({512, 2, 1}, 32).folded) << "threads of a block, a warp a row";
}

TEST(Plane, TheLargestGridHasAPlane) {
  const Plane plane = make_plane({2147483647, 65535, 65535});
  EXPECT_GT(plane.columns, 0u);
  EXPECT_EQ(position_in(plane, cell_of(plane, {2147483646, 65534, 65534})),
            std::optional(Dim3{2147483646, 65534, 65534}));
}

TEST(MapFrame, ZoomKeepsWhatIsUnderThePointer) {
  const Plane plane = make_plane({32, 32, 1});
  const Box canvas{20, 30, 600, 400};
  const Point pointer{250, 180};
  MapView view;
  const std::optional<Cell> before = frame_of(32, 32, canvas, view, 72).cell_at(plane, pointer);
  ASSERT_TRUE(before.has_value());
  for (int i = 0; i < 10; ++i) view = zoomed(32, 32, canvas, view, 72, pointer, 1.3f);
  EXPECT_EQ(frame_of(32, 32, canvas, view, 72).cell_at(plane, pointer), before);
  for (int i = 0; i < 40; ++i) view = zoomed(32, 32, canvas, view, 72, pointer, 0.5f);
  EXPECT_EQ(view, MapView{});
}

TEST(MapFrame, FilledBoxesEndWithTheLastCell) {
  const Plane plane = make_plane({150, 1, 1});  // 16 columns, the last row has 6
  const MapFrame frame = frame_of(plane.columns, plane.rows, {0, 0, 640, 480}, {}, 20);
  const std::vector<Box> boxes = filled_boxes(plane, frame);
  ASSERT_EQ(boxes.size(), 2u);
  double cells = 0;
  for (const Box& box : boxes) cells += box.width * box.height / (frame.cell * frame.cell);
  EXPECT_NEAR(cells, 150, 0.1);
}

TEST(MapFrame, VisibleCellsAreBoundedByTheCanvas) {
  MapView view;
  view.zoom = 400;
  const Box canvas{0, 0, 800, 600};
  const MapFrame frame = frame_of(1280, 782, canvas, view, 72);
  const VisibleCells visible = visible_cells(1280, 782, frame);
  const double across = canvas.width / frame.cell;
  EXPECT_LE(static_cast<double>(visible.last.column - visible.first.column), across + 2);
  EXPECT_LE(visible.last.column, 1280u);
}

}  // namespace THIS_FILE
}  // namespace warplens
