#include "app/views/model/grid_axes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/draw/save_picture.h"

namespace warplens {
namespace THIS_FILE {

std::vector<std::string> words_at_axes(Dim3 grid, float side = 400) {
  HeatMap map;
  map.grid = map.needed = grid;
  map.plane = make_plane(grid);
  const Style style = paper_style(Theme::dark);
  const AxesRoom room = room_for_axes(style, map, {0, 0, side, side});
  const Box box{room.left, room.top, side - room.left, side - room.top};
  Picture picture;
  draw_axes(picture, style, map, frame_of(map.plane.columns, map.plane.rows, box, {}, 240), room);
  std::vector<std::string> words;
  for (const Shape& shape : picture.shapes) {
    const auto& text = std::get<Text>(shape);
    words.push_back(text.words);
    EXPECT_TRUE(text.at.x <= room.left || text.at.y <= room.top) << text.words << " is in the map";
  }
  return words;
}

bool has(const std::vector<std::string>& words, const std::string& one) {
  return std::ranges::find(words, one) != words.end();
}

TEST(GridAxes, NameBothAxesAndCountTheBlocks) {
  const auto words = words_at_axes({32, 32, 1});
  EXPECT_TRUE(has(words, "blockIdx.x →"));
  EXPECT_TRUE(has(words, "y ↓"));
  EXPECT_TRUE(has(words, "0"));
  EXPECT_TRUE(has(words, "8"));
  EXPECT_EQ(std::ranges::count(words, "16"), 2) << "at each side";
}

TEST(GridAxes, ARowOfBlocksHasOneAndAFoldedRowCountsOn) {
  const auto row = words_at_axes({4, 1, 1});
  EXPECT_FALSE(has(row, "y ↓"));
  EXPECT_TRUE(has(row, "2"));
  const Plane folded = make_plane({4000, 1, 1});
  ASSERT_TRUE(folded.folded);
  EXPECT_TRUE(has(words_at_axes({4000, 1, 1}), std::to_string(8 * folded.columns)))
      << "the number of the first block of a row";
}

TEST(GridAxes, AreLeftOutWhereThereIsNoRoomAndForSlices) {
  EXPECT_TRUE(words_at_axes({32, 32, 1}, 100).empty());
  EXPECT_TRUE(words_at_axes({8, 8, 8}).empty());
}

}  // namespace THIS_FILE
}  // namespace warplens
