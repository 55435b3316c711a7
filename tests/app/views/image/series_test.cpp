#include "app/views/image/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "app/base/draw/save_picture.h"
#include "app/views/image/picture.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

std::shared_ptr<const Bytes> bytes_of_floats(const std::vector<float>& values) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return fixture::share(std::move(bytes));
}

BufferSpec floats(const std::string& name, uint32_t count) {
  BufferSpec spec;
  spec.name = name;
  spec.dtype = DType::f32;
  spec.bytes = uint64_t{count} * 4;
  spec.width = count;
  return spec;
}

std::vector<float> ramp(uint32_t count) {
  std::vector<float> values(count);
  for (uint32_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1000);
  return values;
}

TEST(Series, IsOfLongVectorsOnly) {
  EXPECT_TRUE(series_of(floats("x", 100), bytes_of_floats(ramp(100)), nullptr));
  EXPECT_FALSE(series_of(floats("x", 10), bytes_of_floats(ramp(10)), nullptr)) << "a row of cells";
  BufferSpec matrix = floats("m", 10);
  matrix.height = 10;
  EXPECT_FALSE(series_of(matrix, bytes_of_floats(ramp(100)), nullptr));
  BufferSpec gray = floats("g", 100);
  gray.dtype = DType::u8;
  EXPECT_FALSE(series_of(gray, bytes_of_floats(ramp(100)), nullptr)) << "a picture";
  EXPECT_FALSE(series_of(floats("x", 100), nullptr, nullptr));
}

TEST(Series, KnowsTheRangeOfAnyPart) {
  constexpr uint32_t count = 3'000'017;  // several elements in a bin, and a short last one
  const std::vector<float> values = ramp(count);
  const auto series = series_of(floats("x", count), bytes_of_floats(values), nullptr);
  ASSERT_TRUE(series);
  EXPECT_GT(series->bin, 1u);
  EXPECT_EQ(series->low, 0);
  EXPECT_EQ(series->high, 999);
  for (const auto& [first, end] : {std::pair{0u, 1u}, std::pair{5u, 700u}, std::pair{998u, 1003u},
                                   std::pair{count - 9, count}, std::pair{2'000'001u, 2'000'900u}}) {
    const ValueRange range = series->range(first, end);
    const auto [low, high] = std::minmax_element(values.begin() + first, values.begin() + end);
    EXPECT_EQ(range.low, *low) << first;
    EXPECT_EQ(range.high, *high) << first;
    EXPECT_TRUE(range.any);
  }
  EXPECT_FALSE(series->range(count, count + 5).any) << "past the end";
}

TEST(Series, LeavesOutWhatIsNoNumberAndWhatNobodyWrote) {
  std::vector<float> values = ramp(100);
  values[3] = std::numeric_limits<float>::infinity();
  values[4] = std::nanf("");
  values[5] = 5000;
  auto writers = std::make_shared<WriterMap>();
  writers->writer.assign(100, 1);
  writers->writer[5] = 0;
  const auto series = series_of(floats("x", 100), bytes_of_floats(values), writers);
  ASSERT_TRUE(series);
  EXPECT_EQ(series->high, 99);
  EXPECT_FALSE(series->range(3, 5).any);
  EXPECT_TRUE(series->range(5, 6).unwritten);
  EXPECT_FALSE(series->range(6, 7).unwritten);
}

TEST(Series, DifferenceIsOfEqualLengths) {
  const auto a = series_of(floats("a", 100), bytes_of_floats(ramp(100)), nullptr);
  std::vector<float> other = ramp(100);
  other[40] -= 7;
  const auto b = series_of(floats("b", 100), bytes_of_floats(other), nullptr);
  const auto difference = difference_series(*a, *b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->high, 7);
  EXPECT_EQ(difference->range(40, 41).high, 7);
  EXPECT_EQ(difference->range(0, 40).high, 0);
  EXPECT_FALSE(difference_series(*a, *series_of(floats("c", 90), bytes_of_floats(ramp(90)), nullptr)));
}

TEST(Series, ZoomKeepsTheElementUnderThePointer) {
  MapView view;
  constexpr uint64_t count = 10'000;
  const SeriesView all = visible_elements(count, view);
  EXPECT_EQ(all.first, 0);
  EXPECT_EQ(all.count, 10'000);
  for (int i = 0; i < 12; ++i) {
    const SeriesView before = visible_elements(count, view);
    view = zoomed_series(count, view, 0.25, 1.2f);
    const SeriesView after = visible_elements(count, view);
    EXPECT_NEAR(before.first + before.count / 4, after.first + after.count / 4, 1);
    EXPECT_LT(after.count, before.count);
  }
  view = zoomed_series(count, view, 0.5, 1e9f);
  EXPECT_NEAR(visible_elements(count, view).count, 8, 0.01);
  view = panned_series(count, view, 1e9);
  EXPECT_EQ(visible_elements(count, view).first, 0);
  view = zoomed_series(count, view, 0.5, 1e-9f);
  EXPECT_NEAR(visible_elements(count, view).count, 10'000, 0.5);
}

// x and y → out, as vector_add has them.
RunResult of_vectors(uint32_t count) {
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "vector_add";
  for (const char* name : {"x", "y"}) {
    BufferSpec spec = floats(name, count);
    spec.initial = bytes_of_floats(ramp(count));
    request->buffers.push_back(spec);
  }
  request->buffers.push_back(floats("out", count));
  request->buffers.back().output = true;
  RunResult result;
  result.shape = {{(count + 63) / 64, 1, 1}, {64, 1, 1}, 0, false};
  auto writers = std::make_shared<WriterMap>();
  writers->grid = result.shape.grid;
  writers->block = result.shape.block;
  for (uint64_t i = 0; i < count; ++i) writers->writer.push_back(i + 1);
  result.outputs = {{2, bytes_of_floats(ramp(count)), writers}};
  result.request = request;
  return result;
}

TEST(VectorPlots, AreDrawnForVectorsAndPickTheElementUnderThePointer) {
  const RunResult result = of_vectors(1000);
  const ImageSet set = build_image_set(result);
  ImageViewInput input;
  input.result = &result;
  input.set = &set;
  Picture picture;
  const ImageViewLayout layout =
      draw_image_view(picture, paper_style(Theme::dark, 1), {0, 0, 900, 500}, input);
  EXPECT_TRUE(layout.frames.empty());
  ASSERT_EQ(layout.plots.size(), 2u);
  EXPECT_TRUE(layout.plots[0].is_input);
  EXPECT_LE(layout.plots[0].box.bottom(), layout.plots[1].box.y);
  const VectorPlot& out = layout.plots[1];
  const Point at{out.box.x + out.box.width * 0.5005f, out.box.centre().y};
  const Pick pick = pick_at(input, layout, at);
  ASSERT_TRUE(pick.element);
  EXPECT_EQ(pick.element->buffer, 2u);
  EXPECT_EQ(pick.element->index, 500u);
  EXPECT_EQ(pick.block, (Dim3{7, 0, 0}));
  EXPECT_EQ(pick.thread, (Dim3{52, 0, 0}));
  EXPECT_TRUE(pick_at(input, layout, {2, 2}).empty());
  for (const ImageMode mode : all_image_modes) {
    input.mode = mode;
    Picture other;
    const auto plots = draw_image_view(other, paper_style(Theme::light, 2.5f), {0, 0, 500, 300}, input).plots;
    EXPECT_EQ(plots.size(), mode == ImageMode::result || mode == ImageMode::difference ? 1u : 2u);
  }
}

TEST(VectorPlots, ShowAnyArray) {
  const RunResult result = of_vectors(1000);
  EXPECT_EQ(build_image_set(result).shown.input, 0u);
  EXPECT_EQ(build_image_set(result, "y").shown.input, 1u);
  EXPECT_EQ(build_image_set(result, "y").shown.output, 2u);
  EXPECT_EQ(build_image_set(result, "out").shown.input, 0u);
  EXPECT_EQ(build_image_set(result, "none").shown.input, 0u);
}

}  // namespace THIS_FILE
}  // namespace warplens
