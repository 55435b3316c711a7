#include "app/base/draw/picture.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/base/draw/amounts.h"
#include "app/base/draw/parts.h"
#include "app/base/draw/save_picture.h"

namespace warplens {
namespace THIS_FILE {

uint32_t rgb_at(const Raster& raster, uint32_t x, uint32_t y) {
  const uint8_t* p = raster.rgba.data() + 4 * (size_t{y} * raster.width + x);
  return uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2];
}

Picture small_picture() {
  Picture picture;
  picture.width = 40;
  picture.height = 20;
  picture.background = solid(0x102030);
  return picture;
}

TEST(Picture, RectanglesCoverTheirPixels) {
  Picture picture = small_picture();
  picture.rectangle({10, 5, 20, 10}, solid(0xff8000));
  const Result<Raster> raster = rasterized(picture);
  ASSERT_TRUE(raster.ok());
  EXPECT_EQ(rgb_at(*raster, 0, 0), 0x102030u);
  EXPECT_EQ(rgb_at(*raster, 10, 5), 0xff8000u);
  EXPECT_EQ(rgb_at(*raster, 29, 14), 0xff8000u);
  EXPECT_EQ(rgb_at(*raster, 30, 15), 0x102030u);
}

TEST(Picture, ClipsEndWhereTheyEnd) {
  Picture picture = small_picture();
  picture.begin_clip({0, 0, 10, 20});
  picture.rectangle({0, 0, 40, 20}, solid(0xffffff));
  picture.end_clip();
  picture.rectangle({30, 0, 10, 20}, solid(0x00ff00));
  const Result<Raster> raster = rasterized(picture);
  ASSERT_TRUE(raster.ok());
  EXPECT_EQ(rgb_at(*raster, 9, 10), 0xffffffu);
  EXPECT_EQ(rgb_at(*raster, 10, 10), 0x102030u);
  EXPECT_EQ(rgb_at(*raster, 35, 10), 0x00ff00u);
}

TEST(Picture, NearestBitmapsKeepTheirCellsAndTheirTransparency) {
  Raster raster = make_raster(2, 1);
  put_pixel(raster, 0, 0xff0000);  // the second stays transparent
  Picture picture = small_picture();
  Bitmap bitmap;
  bitmap.box = {0, 0, 40, 20};
  bitmap.raster = std::make_shared<const Raster>(raster);
  bitmap.sampling = Sampling::nearest;
  picture.shapes.push_back(bitmap);
  const Result<Raster> drawn = rasterized(picture);
  ASSERT_TRUE(drawn.ok());
  EXPECT_EQ(rgb_at(*drawn, 19, 10), 0xff0000u);
  EXPECT_EQ(rgb_at(*drawn, 21, 10), 0x102030u);
}

TEST(Picture, HatchLinesStayInside) {
  const Hatch hatch{{10, 20, 33, 17}, solid(0), 5};
  const auto lines = hatch_lines(hatch);
  ASSERT_GT(lines.size(), 5u);
  for (const auto& [from, to] : lines)
    for (const Point& point : {from, to}) {
      EXPECT_GE(point.x, hatch.box.x - 0.01f);
      EXPECT_LE(point.x, hatch.box.right() + 0.01f);
      EXPECT_GE(point.y, hatch.box.y - 0.01f);
      EXPECT_LE(point.y, hatch.box.bottom() + 0.01f);
    }
}

TEST(Picture, SavesPngAndSvgAndRefusesOtherEndings) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("warplens_picture_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  Picture picture = small_picture();
  picture.text({2, 2}, "12 → π", Font::mono, 10, solid(0xffffff));
  EXPECT_TRUE(save_picture(picture, (folder / "a.png").string()).ok());
  EXPECT_TRUE(save_picture(picture, (folder / "a.svg").string()).ok());
  std::ifstream png(folder / "a.png", std::ios::binary), svg(folder / "a.svg");
  std::string head(4, ' '), text((std::istreambuf_iterator<char>(svg)), {});
  png.read(head.data(), 4);
  EXPECT_EQ(head, "\x89PNG");
  EXPECT_NE(text.find("<svg"), std::string::npos);
  const Result<void> ending = save_picture(picture, (folder / "a.gif").string());
  ASSERT_FALSE(ending.ok());
  EXPECT_EQ(ending.error().kind, ErrorKind::bad_input);
  for (const char* name : {"/nowhere/at/all.png", "/nowhere/at/all.svg"}) {
    const Result<void> unwritable = save_picture(picture, name);
    ASSERT_FALSE(unwritable.ok());
    EXPECT_NE(unwritable.error().message.find(name), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST(Picture, ImpossibleSizesAreErrors) {
  Picture picture;
  EXPECT_FALSE(rasterized(picture).ok());
  picture.width = 1e6f;
  picture.height = 10;
  EXPECT_FALSE(rasterized(picture).ok());
}

TEST(Amounts, EndsAndMiddleOfViridis) {
  EXPECT_EQ(viridis(0), 0x440154u);
  EXPECT_EQ(viridis(1), 0xFDE725u);
  EXPECT_EQ(viridis(-5), viridis(0));
  EXPECT_EQ(viridis(9), viridis(1));
  EXPECT_EQ(viridis(std::nan("")), 0x808080u);
}

TEST(Style, WrapsAndShortensWithinTheWidth) {
  const Style style = paper_style(Theme::dark);
  const std::string words = "one two three four five six seven eight nine ten";
  for (const std::string& line : wrapped(style, words, Font::words, 15, 90))
    EXPECT_LE(style.width(line, Font::words, 15), 90);
  EXPECT_EQ(shortened(style, "short", Font::words, 15, 400), "short");
  const std::string cut = shortened(style, "äöü → ⌈x⌉ a long line of words", Font::words, 15, 80);
  EXPECT_LE(style.width(cut, Font::words, 15), 80);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_EQ(shortened(style, "words", Font::words, 15, 1), "");
}

TEST(Parts, InkCanBeReadOnEveryGroupColour) {
  for (const uint32_t ground : group_colours)
    EXPECT_GE(contrast(ink_on(ground), ground), 4.5) << std::hex << ground;
  for (double share = 0; share <= 1; share += 0.01)
    EXPECT_GE(contrast(ink_on(viridis(share)), viridis(share)), 4.5) << share;
}

TEST(Parts, ChipsStayInTheirBoxAndWrap) {
  const Style style = paper_style(Theme::light, 2.5f);
  Picture picture;
  std::vector<Chip> chips(9, Chip{"warp 12", SaveVerb::save, "", false, {}});
  const float bottom = draw_chips(picture, style, {10, 10, 400, 0}, chips);
  EXPECT_GT(bottom, 10 + 2 * chip_height(style));
  ASSERT_EQ(picture.areas.size(), 9u);
  for (const Area& area : picture.areas) EXPECT_LE(area.box.right(), 410.0f);
}

}  // namespace THIS_FILE
}  // namespace warplens
