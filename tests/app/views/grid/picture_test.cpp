#include "app/views/grid/picture.h"

#include <gtest/gtest.h>

#include "app/draw/save_picture.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace {

struct Scene {
  fixture::Gray gray = fixture::make_gray(512, 512);
  KernelDescription kernel = fixture::gray_description();
  BlockFootprint footprint = fixture::make_footprint(gray, {19, 7, 0});
  HeatMap heat =
      build_heat_map(gray.result, Dim3{512, 512, 1}, Colouring::instructions, palette_of(Theme::dark));

  FootprintDigest digest = digest_of(gray.result, footprint, {Dim3{19, 7, 0}, Dim3{4, 7, 0}, {}});

  GridViewInput input(GridLevel level) const {
    GridViewInput view;
    view.result = &gray.result;
    view.heat = &heat;
    view.kernel = &kernel;
    view.footprint = &footprint;
    view.digest = &digest;
    view.problem = Dim3{512, 512, 1};
    view.level = level;
    view.chosen.block = Dim3{19, 7, 0};
    view.chosen.thread = Dim3{4, 7, 0};
    return view;
  }
};

bool says(const Picture& picture, std::string_view words) {
  for (const Shape& shape : picture.shapes)
    if (const auto* text = std::get_if<Text>(&shape);
        text != nullptr && text->words.find(words) != std::string::npos)
      return true;
  return false;
}

TEST(GridView, EachLevelShowsItsPart) {
  const Scene scene;
  const Style style = paper_style(Theme::dark);
  const auto drawn = [&](GridLevel level) {
    Picture picture;
    const GridViewLayout layout = draw_grid_view(picture, style, {0, 0, 1200, 680}, scene.input(level));
    return std::pair{picture, layout};
  };
  EXPECT_TRUE(drawn(GridLevel::grid).second.block_box.empty());
  EXPECT_FALSE(drawn(GridLevel::block).second.block_box.empty());
  const auto [warp, layout] = drawn(GridLevel::warp);
  EXPECT_EQ(layout.shown_access, std::optional<size_t>(12));
  EXPECT_TRUE(says(warp, "4 sectors of 32 B touched, 1 ideal"));
  const Picture lane = drawn(GridLevel::lane).first;
  EXPECT_TRUE(says(lane, "= 19 * 16 + 4 = 308"));
  EXPECT_TRUE(says(lane, "rgb[183708] = 153"));
}

TEST(GridView, CellsUnderThePointerAreTheBlocksThatAreDrawn) {
  const Scene scene;
  Picture picture;
  const GridViewLayout layout =
      draw_grid_view(picture, paper_style(Theme::dark), {0, 0, 1200, 680}, scene.input(GridLevel::block));
  const Point block = layout.map.box_of(cell_of(scene.heat.plane, {19, 7, 0})).centre();
  EXPECT_EQ(layout.map.cell_at(scene.heat.plane, block), std::optional(Cell{19, 7}));
  const Point lane = layout.block.box_of(cell_of(layout.block_plane, {4, 7, 0})).centre();
  EXPECT_EQ(layout.block.cell_at(layout.block_plane, lane), std::optional(Cell{4, 7}));
}

// From 80 % to 250 % text and from small panels to large ones: every text lies inside the picture.
TEST(GridView, TextStaysInsideAtEverySize) {
  const Scene scene;
  for (const float scale : {0.8f, 1.0f, 1.75f, 2.5f}) {
    const Style style = paper_style(Theme::light, scale);
    for (const Box box : {Box{0, 0, 560, 420}, Box{0, 0, 900, 560}, Box{0, 0, 1300, 900}}) {
      for (const GridLevel level : {GridLevel::grid, GridLevel::block, GridLevel::warp, GridLevel::lane}) {
        Picture picture;
        draw_grid_view(picture, style, box, scene.input(level));
        for (const Shape& shape : picture.shapes) {
          const auto* text = std::get_if<Text>(&shape);
          if (text == nullptr || text->align_x != AlignX::left || text->font == Font::mono) continue;
          EXPECT_LE(text->at.x + style.width(text->words, text->font, text->size), box.right() + 1)
              << text->words << " at " << scale << ", width " << box.width << ", level " << name_of(level);
        }
      }
    }
  }
}

TEST(GridView, LanesOutsideTheProblemAreHollow) {
  const fixture::Gray gray = fixture::make_gray(50, 48);
  BlockPicture block;
  block.block = gray.block;
  block.block_at = {3, 0, 0};
  block.problem = Dim3{50, 48, 1};
  EXPECT_FALSE(out_of_range(block, {1, 0, 0}));
  EXPECT_TRUE(out_of_range(block, {2, 0, 0}));
  block.plane = make_block_plane(block.block);
  Picture picture;
  draw_block_lanes(picture, paper_style(Theme::dark), {0, 0, 400, 400}, block, {});
  uint64_t hollow = 0, filled = 0;
  for (const Shape& shape : picture.shapes)
    if (const auto* cell = std::get_if<Rectangle>(&shape)) (cell->fill.visible() ? filled : hollow) += 1;
  EXPECT_EQ(filled, 2u * 16);
  EXPECT_EQ(hollow, 14u * 16);
}

}  // namespace
}  // namespace warplens
