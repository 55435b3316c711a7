// Pictures that the window draws into memory, as a web page saves them: next to those of cairo.
#include "app/widgets/window_picture.h"

#include <cstdlib>
#include <memory>
#include <optional>

#include "app/base/draw/save_picture.h"
#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class WindowPicture : public WindowTest {};

Picture example() {
  Picture picture;
  picture.width = 120;
  picture.height = 60;
  picture.background = solid(0xffffff);
  picture.rectangle({10, 10, 30, 20}, solid(0xff0000));
  picture.line({10, 45}, {110, 45}, solid(0x008000), 2);
  picture.text({50, 8}, "Warp", Font::words, 15, solid(0x000000));
  auto raster = std::make_shared<Raster>(make_raster(2, 1));
  put_pixel(*raster, 0, 0x0000ff);
  put_pixel(*raster, 1, 0xffff00);
  picture.shapes.emplace_back(Bitmap{{90, 10, 20, 20}, raster, {0, 0, 1, 1}, Sampling::nearest, 1});
  picture.begin_clip({0, 50, 60, 10});
  picture.rectangle({0, 50, 120, 10}, solid(0x808080));
  picture.end_clip();
  return picture;
}

uint32_t pixel(const Image& image, uint32_t x, uint32_t y) {
  const uint8_t* at = &image.pixels[size_t{3} * (size_t{y} * image.width + x)];
  return uint32_t{at[0]} << 16 | uint32_t{at[1]} << 8 | at[2];
}

double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
  return sum / static_cast<double>(a.pixels.size());
}

TEST_F(WindowPicture, IsDrawnIntoMemory) {
  drive(
      [](Driver& d) {
        std::optional<Result<Image>> drawn, too_large;
        d.in_frame = [&] {
          drawn = drawn_by_window(example(), 2);
          too_large = drawn_by_window(example(), 10'000);
        };
        ASSERT_TRUE(d.wait_until([&] { return too_large.has_value(); }));
        ASSERT_TRUE(*drawn) << drawn->error().message;
        const Image& image = **drawn;
        ASSERT_EQ(image.width, 240u);
        ASSERT_EQ(image.height, 120u);
        EXPECT_EQ(pixel(image, 2, 2), 0xffffffu);
        EXPECT_EQ(pixel(image, 40, 40), 0xff0000u);
        Driver::keep(image, "window_picture");
        EXPECT_EQ(pixel(image, 100, 90), 0x008000u);
        EXPECT_EQ(pixel(image, 185, 40), 0x0000ffu) << "the bitmap's first pixel";
        EXPECT_EQ(pixel(image, 215, 40), 0xffff00u) << "its second one";
        EXPECT_EQ(pixel(image, 50, 110), 0x808080u);
        EXPECT_EQ(pixel(image, 200, 110), 0xffffffu) << "outside of the clip";
        uint32_t dark = 0;
        for (uint32_t y = 14; y < 60; ++y)
          for (uint32_t x = 100; x < 175; ++x) dark += (pixel(image, x, y) & 255) < 100;
        EXPECT_GT(dark, 100u) << "letters";
        EXPECT_FALSE(*too_large);
        if (!draws_into_files()) return;
        const Result<Raster> by_cairo = rasterized(example(), 2);
        ASSERT_TRUE(by_cairo) << by_cairo.error().message;
        const Image wanted = with_channels({by_cairo->width, by_cairo->height, 4, by_cairo->rgba, "", ""}, 3);
        ASSERT_EQ(wanted.pixels.size(), image.pixels.size());
        EXPECT_LT(mean_difference(image, wanted), 6);
      },
      small_window());
}

}  // namespace THIS_FILE
}  // namespace warplens
