#include "app/views/grid/picture.h"

#include <gtest/gtest.h>

#include "app/base/draw/save_picture.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

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

// From 80 % to 250 % text and from small panels to large ones: every text is inside the picture.
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

// Three blocks of four threads; `writer` says which thread wrote each element.
struct SmallLaunch {
  explicit SmallLaunch(std::vector<uint64_t> writer) {
    auto request = std::make_shared<LaunchRequest>();
    request->buffers.resize(1);
    request->buffers[0].name = "x_of";
    result.request = request;
    result.shape.grid = {3, 1, 1};
    result.shape.block = {4, 1, 1};
    auto writers = std::make_shared<WriterMap>();
    writers->grid = result.shape.grid;
    writers->block = result.shape.block;
    writers->writer = std::move(writer);
    result.outputs.push_back({0, nullptr, writers});
    heat = build_heat_map(result, std::nullopt, Colouring::blocks, palette_of(Theme::dark));
  }
  GridViewInput input() const {
    GridViewInput view;
    view.result = &result;
    view.heat = &heat;
    view.level = GridLevel::block;
    view.chosen.block = Dim3{1, 0, 0};
    return view;
  }
  RunResult result;
  HeatMap heat;
};

size_t slanted_lines(const Picture& picture) {
  size_t count = 0;
  for (const Shape& shape : picture.shapes)
    if (const auto* path = std::get_if<Path>(&shape);
        path != nullptr && path->points.size() == 2 && path->points[1].y - path->points[0].y > 20)
      ++count;
  return count;
}

TEST(GridView, ASmallLaunchHasALineFromEachThreadToWhatItWrote) {
  const SmallLaunch launch({1, 2, 3, 4, 5, 6, 7, 8, 9, 0});  // element 9 was not written
  Picture picture;
  const GridViewLayout layout =
      draw_grid_view(picture, paper_style(Theme::dark), {0, 0, 700, 560}, launch.input());
  ASSERT_EQ(layout.threads.size(), 12u);
  EXPECT_EQ(slanted_lines(picture), 9u);
  EXPECT_TRUE(says(picture, "block 2"));
  EXPECT_TRUE(says(picture, "elements of x_of"));
  size_t idle = 0, untouched = 0;
  for (const Area& area : picture.areas) {
    idle += area.hint.ends_with("it wrote nothing");
    untouched += area.hint.ends_with("no thread wrote it");
  }
  EXPECT_EQ(idle, 3u);
  EXPECT_EQ(untouched, 1u);
  for (const Box& thread : layout.threads) {
    EXPECT_GE(thread.x, 0);
    EXPECT_LE(thread.right(), 700);
    EXPECT_LE(thread.bottom(), 560);
    EXPECT_GE(thread.y, layout.map_box.bottom()) << "below the map";
  }
}

TEST(GridView, WritersAreHiddenWhileTheyAreAsked) {
  const SmallLaunch launch({1, 2, 3, 4, 5, 6, 7, 8, 9, 0});
  GridViewInput input = launch.input();
  input.show_writers = false;
  Picture picture;
  const GridViewLayout layout = draw_grid_view(picture, paper_style(Theme::dark), {0, 0, 700, 560}, input);
  EXPECT_EQ(layout.threads.size(), 12u);
  EXPECT_EQ(slanted_lines(picture), 0u);
  for (const Area& area : picture.areas) EXPECT_EQ(area.hint.find("wrote"), std::string::npos) << area.hint;
}

TEST(GridView, WritersNeedRoomAndAnArrayOfOneRow) {
  const auto threads = [](const SmallLaunch& launch, Box box) {
    Picture picture;
    return draw_grid_view(picture, paper_style(Theme::dark), box, launch.input()).threads.size();
  };
  EXPECT_EQ(threads(SmallLaunch(std::vector<uint64_t>(33, 1)), {0, 0, 1200, 700}), 0u) << "too many elements";
  EXPECT_EQ(threads(SmallLaunch({1, 2}), {0, 0, 200, 560}), 0u) << "too narrow";
  EXPECT_EQ(threads(SmallLaunch({1, 2}), {0, 0, 700, 160}), 0u) << "too low";
  // They have all blocks and threads in them, and stand alone where there is no room for the map.
  const SmallLaunch launch({1, 2});
  Picture picture;
  const GridViewLayout alone =
      draw_grid_view(picture, paper_style(Theme::dark), {0, 0, 700, 300}, launch.input());
  EXPECT_EQ(alone.threads.size(), launch.result.shape.block.x * launch.result.shape.grid.x);
  EXPECT_TRUE(alone.map_box.empty());
  for (const Box& thread : alone.threads) EXPECT_LE(thread.bottom(), 300);
  SmallLaunch plane({1, 2});
  plane.result.shape.block = {2, 2, 1};
  EXPECT_EQ(threads(plane, {0, 0, 1200, 700}), 0u) << "no row of threads";
}

}  // namespace THIS_FILE
}  // namespace warplens
