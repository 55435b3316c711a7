#include "app/views/image/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/base/draw/save_picture.h"
#include "app/views/image/marks.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

BufferSpec float_spec(uint32_t width, uint32_t height) {
  return {"m", uint64_t{4} * width * height, DType::f32, nullptr, true, width, height, 1};
}

Bytes floats(const std::vector<float>& values) {
  Bytes bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(RasterBuffer, PicturesKeepTheirPixels) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const ImageSet set = build_image_set(gray.result);
  ASSERT_TRUE(set.input && set.result);
  const Bytes& rgb = *gray.result.request->buffers[0].initial;
  for (const uint64_t pixel : {0u, 63u, 64u * 48 - 1}) {
    const uint8_t* p = set.input->raster->rgba.data() + 4 * pixel;
    for (size_t c = 0; c < 3; ++c) EXPECT_EQ(p[c], std::to_integer<uint8_t>(rgb[3 * pixel + c]));
    EXPECT_EQ(p[3], 255);
  }
}

TEST(RasterBuffer, AmountsSpanTheirRangeAndMarkWhatIsNotFinite) {
  const BufferRaster raster = raster_of(float_spec(2, 2), floats({-1.f, 3.f, 1.f, NAN}), nullptr);
  EXPECT_TRUE(raster.amounts);
  EXPECT_EQ(raster.low, -1);
  EXPECT_EQ(raster.high, 3);
  EXPECT_EQ(raster.not_finite, 1u);
  EXPECT_EQ(raster.raster->rgba[12], 0x80);
}

TEST(RasterBuffer, ShortAndEmptyBuffersAreTransparent) {
  EXPECT_EQ(raster_of(float_spec(4, 4), floats({1.f}), nullptr).raster->rgba[4 * 5 + 3], 0);
  EXPECT_NO_FATAL_FAILURE(raster_of(float_spec(0, 0), {}, nullptr));
}

TEST(RasterBuffer, LongRowsFoldAndLargePicturesShrink) {
  const BufferRaster row = raster_of(float_spec(10000, 1), Bytes(40000), nullptr);
  EXPECT_TRUE(row.plane.folded);
  BufferSpec wide{"p", 9000u * 500, DType::u8, nullptr, true, 9000, 500, 1};
  const BufferRaster picture = raster_of(wide, Bytes(wide.bytes, std::byte{77}), nullptr);
  EXPECT_EQ(picture.reduction, 3u);
  EXPECT_EQ(picture.raster->width, 3000u);
  EXPECT_EQ(picture.raster->rgba[0], 77);
}

TEST(Difference, IsTheAbsoluteDifferencePerChannel) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const ImageSet set = build_image_set(gray.result);
  ASSERT_TRUE(set.difference.raster.has_value());
  const Bytes& rgb = *gray.result.request->buffers[0].initial;
  const Bytes& after = *gray.result.outputs[0].bytes;
  const uint64_t pixel = 20 * 64 + 30;
  for (size_t c = 0; c < 3; ++c)
    EXPECT_EQ(set.difference.raster->raster->rgba[4 * pixel + c],
              std::abs(std::to_integer<int>(rgb[3 * pixel + c]) - std::to_integer<int>(after[pixel])));
}

TEST(Difference, OtherSizesHaveAReason) {
  const DifferenceRaster difference = difference_of(float_spec(2, 2), Bytes(16), float_spec(3, 2), Bytes(24));
  EXPECT_FALSE(difference.raster.has_value());
  EXPECT_NE(difference.reason.find("size"), std::string::npos);
}

TEST(BlockRaster, LinesLieWhereAnotherBlockWrote) {
  const fixture::Gray gray = fixture::make_gray(50, 40);
  const ImageSet set = build_image_set(gray.result);
  EXPECT_EQ(set.blocks.columns, (std::vector<uint32_t>{16, 32, 48}));
  EXPECT_EQ(set.blocks.rows, (std::vector<uint32_t>{16, 32}));
  const BlockRaster::Extent& corner = set.blocks.blocks[linear_index({3, 2, 0}, gray.grid)];
  EXPECT_TRUE(corner.exact());
  EXPECT_EQ(corner.x0, 48u);
  EXPECT_EQ(corner.x1, 49u);
  EXPECT_EQ(corner.y1, 39u);
}

TEST(BlockRaster, NoLineWhereTheRunDrewNone) {
  // Writers in a diagonal pattern: no whole line parts the blocks.
  fixture::Gray gray = fixture::make_gray(32, 32);
  auto writers = std::make_shared<WriterMap>(*gray.result.outputs[0].writers);
  for (uint32_t y = 0; y < 32; ++y)
    for (uint32_t x = 0; x < 32; ++x) writers->writer[y * 32 + x] = 1 + ((x + y) / 16 % 4) * 256;
  gray.result.outputs[0].writers = writers;
  const ImageSet set = build_image_set(gray.result);
  EXPECT_TRUE(set.blocks.columns.empty());
  EXPECT_TRUE(set.blocks.rows.empty());
  EXPECT_FALSE(set.blocks.blocks[1].exact());
}

TEST(ImageView, PointingFindsThePixelInEveryMode) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const ImageSet set = build_image_set(gray.result);
  const Style style = paper_style(Theme::dark);
  for (const ImageMode mode :
       {ImageMode::side_by_side, ImageMode::split, ImageMode::difference, ImageMode::result}) {
    ImageViewInput input;
    input.result = &gray.result;
    input.set = &set;
    input.mode = mode;
    Picture picture;
    const ImageViewLayout layout = draw_image_view(picture, style, {0, 0, 900, 600}, input);
    ASSERT_FALSE(layout.frames.empty());
    for (const ImageFrame& frame : layout.frames) {
      const Point at = frame.frame.box_of({30, 20}).centre();
      const Pick pick = pick_at(input, layout, at);
      ASSERT_TRUE(pick.element.has_value());
      EXPECT_EQ(pick.element->index, 20u * 64 + 30);
      EXPECT_EQ(pick.block, std::optional(Dim3{1, 1, 0}));
      EXPECT_EQ(pick.thread, std::optional(Dim3{14, 4, 0}));
    }
    EXPECT_TRUE(pick_at(input, layout, {-5, -5}).empty());
  }
}

// Where the picture is small, blocks of 32 × 8 keep their horizontal lines as long as they have vertical
// ones.
TEST(ImageView, BlocksHaveLinesAlongBothAxesOrNone) {
  const fixture::Gray gray = fixture::make_gray(512, 512, {32, 8, 1});
  const ImageSet set = build_image_set(gray.result);
  size_t with_lines = 0;
  for (float height = 120; height <= 700; height += 20) {
    ImageViewInput input;
    input.result = &gray.result;
    input.set = &set;
    input.mode = ImageMode::result;
    const auto lines = [&](bool blocks) {
      input.show_blocks = blocks;
      Picture picture;
      draw_image_view(picture, paper_style(Theme::dark), {0, 0, 1200, height}, input);
      std::pair<size_t, size_t> found;
      for (const Shape& shape : picture.shapes) {
        const auto* box = std::get_if<Rectangle>(&shape);
        if (box == nullptr) continue;
        found.first += box->box.width <= 2 && box->box.height > 20;
        found.second += box->box.height <= 2 && box->box.width > 20;
      }
      return found;
    };
    const auto with = lines(true), without = lines(false);
    EXPECT_EQ(with.first > without.first, with.second > without.second) << height;
    with_lines += with.first > without.first;
  }
  EXPECT_GT(with_lines, 20u);
}

// Large text in a small panel: the picture keeps at least half of the height, and every chip is inside.
TEST(ImageView, ThePictureComesFirstAtLargeText) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const ImageSet set = build_image_set(gray.result);
  const Style style = paper_style(Theme::dark, 2.5f);
  ImageViewInput input;
  input.result = &gray.result;
  input.set = &set;
  Picture picture;
  const ImageViewLayout layout = draw_image_view(picture, style, {0, 0, 600, 360}, input);
  ASSERT_FALSE(layout.frames.empty());
  EXPECT_GE(layout.frames[0].frame.canvas.height, 180);
  for (const Area& area : picture.areas) EXPECT_LE(area.box.right(), 600);
}

// While the number of blocks has to be predicted, the picture does not show it.
TEST(ImageView, TheNumberOfBlocksIsHiddenWhileItIsPredicted) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const ImageSet set = build_image_set(gray.result);
  const auto says = [&](bool hidden, std::string_view words) {
    ImageViewInput input;
    input.result = &gray.result;
    input.set = &set;
    input.hide_blocks = hidden;
    Picture picture;
    draw_image_view(picture, paper_style(Theme::dark), {0, 0, 900, 600}, input);
    return std::ranges::any_of(picture.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text != nullptr && text->words.find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(says(false, "4 × 3 blocks of"));
  EXPECT_FALSE(says(true, "4 × 3"));
  EXPECT_TRUE(says(true, "? blocks of 16 × 16"));
}

TEST(ImageView, UnwrittenCellsAreHatched) {
  const fixture::Gray gray = fixture::make_gray(64, 48, {16, 16, 1}, {3, 3, 1});
  const ImageSet set = build_image_set(gray.result);
  EXPECT_EQ(set.result->unwritten, 16u * 48);
  EXPECT_EQ(set.result->raster->rgba[4 * 60 + 3], 0);
}

TEST(ImageView, ReadMarksAreTheRecordedElements) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const BlockFootprint footprint = fixture::make_footprint(gray, {1, 1, 0});
  const Pick pick = with_writer(gray.result, {1, 20 * 64 + 30});
  const ShownBuffers shown = shown_buffers(*gray.result.request);
  const ThreadElements elements = elements_of_thread(gray.result, shown, footprint, pick);
  EXPECT_EQ(elements.read, (std::vector<uint64_t>{3930, 3931, 3932}));
  EXPECT_EQ(elements.written, (std::vector<uint64_t>{1310}));
  EXPECT_TRUE(
      elements_of_thread(gray.result, shown, fixture::make_footprint(gray, {0, 0, 0}), pick).read.empty());
}

TEST(ImageView, ResultsWithoutBuffersSaySo) {
  RunResult result;
  result.request = std::make_shared<LaunchRequest>();
  const ImageSet set = build_image_set(result);
  ImageViewInput input;
  input.result = &result;
  input.set = &set;
  Picture picture;
  EXPECT_TRUE(draw_image_view(picture, paper_style(Theme::dark), {0, 0, 400, 300}, input).frames.empty());
}

}  // namespace THIS_FILE
}  // namespace warplens
