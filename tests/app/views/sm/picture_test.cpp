// The SM view's picture: its work is bounded, and what is under the pointer is what is drawn there.
#include "app/views/sm/picture.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/base/draw/save_picture.h"
#include "app/base/work_colours.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

using testing::Contains;
using testing::HasSubstr;

SmView view_of(const char* kernel, Dim3 block, const char* device = "3060") {
  KernelSetup setup = default_setup(**find_kernel(kernel));
  if (block.count() > 0) setup.block = block;
  RunOptions options;
  options.check = false;
  const Result<Job> job = make_job(borrowed(**find_kernel(kernel)), setup, *find_device(device), options);
  EXPECT_TRUE(job.ok());
  const auto gpu = make_virtual_gpu();
  const Result<RunResult> result = run_job(*job, *gpu, {}, nullptr);
  EXPECT_TRUE(result.ok());
  return view_sm(*result);
}

std::vector<std::string> words_of(const Picture& picture) {
  std::vector<std::string> words;
  for (const Shape& shape : picture.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) words.push_back(text->words);
  return words;
}

template <class Kind>
size_t count_of(const Picture& picture) {
  return static_cast<size_t>(std::ranges::count_if(
      picture.shapes, [](const Shape& shape) { return std::holds_alternative<Kind>(shape); }));
}

constexpr Box page{0, 0, 1200, 700};

TEST(SmPicture, ItsWorkIsBoundedAtEachZoom) {
  const SmView view = view_of("matmul_tiled", {0, 0, 0});
  const Style style = paper_style(Theme::dark);
  for (const auto scheduler : {std::optional<uint32_t>(0u), std::optional<uint32_t>()}) {
    SmPictureInput input;
    input.view = &view;
    input.scheduler = scheduler;
    SmBitmaps bitmaps;
    input.bitmaps = &bitmaps;
    bool one_bar_each = false;
    for (double length = view.cycles; length > 4; length /= 2) {
      input.range = TimeRange{1000, 1000 + length};
      Picture picture;
      picture.width = page.width;
      const SmLayout layout = draw_sm_view(picture, style, page, input);
      EXPECT_LT(picture.shapes.size(), 9000u) << length;
      EXPECT_GE(layout.range.length(), shortest_cycles);
      EXPECT_LE(bitmaps.kept.size(), 16u);
      one_bar_each |= count_of<Bitmap>(picture) == 0;
    }
    EXPECT_TRUE(one_bar_each) << "single cycles are cells";
  }
}

TEST(SmPicture, WhatIsUnderThePointerIsTheSpanThere) {
  const SmView view = view_of("grayscale", {0, 0, 0});
  SmPictureInput input;
  input.view = &view;
  input.range = TimeRange{500, 700};
  input.scheduler = 2;
  Picture picture;
  const SmLayout layout = draw_sm_view(picture, paper_style(Theme::dark), page, input);
  ASSERT_EQ(layout.parts.size(), 1u);
  const SmPart& part = layout.parts.front();
  size_t found = 0;
  for (const Box& row : part.rows)
    for (const double cycle : {520.5, 600.5, 690.5}) {
      const Point at{row.x + row.width * static_cast<float>((cycle - 500) / 200), row.centre().y};
      const auto pointed = sm_span_at(layout, at);
      if (!pointed) continue;
      ++found;
      EXPECT_EQ(pointed->row->scheduler, 2u);
      EXPECT_LE(pointed->row->spans[pointed->span].begin, cycle + 2);
      EXPECT_GE(pointed->row->spans[pointed->span].end, cycle - 2);
    }
  EXPECT_GT(found, part.rows.size());
  EXPECT_FALSE(sm_span_at(layout, {2, 2}));
}

TEST(SmPicture, TwoRunsHaveOneScale) {
  const SmView small = view_of("invert", {64, 1, 1}), large = view_of("invert", {256, 1, 1});
  SmPictureInput input;
  input.view = &large;
  input.baseline = &small;
  input.label = "B";
  input.baseline_label = "A";
  Picture picture;
  picture.width = page.width;
  const SmLayout layout = draw_sm_view(picture, paper_style(Theme::light), page, input);
  ASSERT_EQ(layout.parts.size(), 2u);
  EXPECT_EQ(layout.parts[0].view, &small);
  EXPECT_LT(layout.parts[0].bars.bottom(), layout.parts[1].bars.y);
  EXPECT_EQ(layout.parts[0].bars.width, layout.parts[1].bars.width);
  EXPECT_EQ(layout.end, std::max(small.cycles, large.cycles));
  EXPECT_THAT(words_of(picture), Contains(HasSubstr("A · 64 threads a block")));
  EXPECT_THAT(words_of(picture), Contains(HasSubstr("B · 256 threads a block")));
}

// Where the model was compared with the profiler, nothing more is said. Of two runs, one is enough.
TEST(SmPicture, SaysWhereTheModelIsNotChecked) {
  const SmView measured = view_of("invert", {64, 1, 1}, "H200"), scaled = view_of("invert", {64, 1, 1});
  const auto says_so = [&](const SmView& view, const SmView* baseline, Box box = page) {
    SmPictureInput input;
    input.view = &view;
    input.baseline = baseline;
    Picture picture;
    picture.width = box.width;
    draw_sm_view(picture, paper_style(Theme::dark), box, input);
    // Of a narrow picture, sentences have several lines.
    return fmt::format("{}", fmt::join(words_of(picture), " ")).find("not checked on hardware") !=
           std::string::npos;
  };
  EXPECT_FALSE(says_so(measured, nullptr));
  EXPECT_FALSE(says_so(measured, &measured));
  EXPECT_TRUE(says_so(scaled, nullptr));
  EXPECT_TRUE(says_so(scaled, nullptr, {0, 0, 300, 200}));
  EXPECT_TRUE(says_so(scaled, &measured));
  EXPECT_TRUE(says_so(measured, &scaled));
}

TEST(SmPicture, AtTheCursorEachRowHasItsState) {
  const SmView view = view_of("reduce_shared", {0, 0, 0});
  SmPictureInput input;
  input.view = &view;
  input.cursor = 400;
  Picture picture;
  picture.width = page.width;
  draw_sm_view(picture, paper_style(Theme::dark), page, input);
  EXPECT_THAT(words_of(picture), Contains("cycle 400"));
  const SmRow& row = view.rows.front();
  const auto span = span_at_cycle(row, 400);
  ASSERT_TRUE(span);
  EXPECT_LE(row.spans[*span].begin, 400);
  EXPECT_GT(row.spans[*span].end, 400);
  EXPECT_FALSE(span_at_cycle(row, view.cycles + 1));
}

TEST(SmPicture, OfALaunchWithoutAModelItSaysWhy) {
  SmView view;
  view.message = "nothing was counted";
  SmPictureInput input;
  input.view = &view;
  Picture picture;
  const SmLayout layout = draw_sm_view(picture, paper_style(Theme::dark), page, input);
  EXPECT_TRUE(layout.parts.empty());
  EXPECT_THAT(words_of(picture),
              Contains(HasSubstr("There is no model of an SM for this launch: nothing was counted")));
}

// Where a pixel has several cycles, it shows their shares.
TEST(SmPicture, ABitmapHasTheSharesOfTheStates) {
  const SmView view = view_of("grayscale", {0, 0, 0});
  SmBitmaps bitmaps;
  SmPictureInput input;
  input.view = &view;
  input.automatic = false;
  input.bitmaps = &bitmaps;
  Picture picture;
  draw_sm_view(picture, paper_style(Theme::dark), {0, 0, 1200, 900}, input);
  size_t slots = 0, rows = 0;
  for (const auto& [key, raster] : bitmaps.kept) {
    size_t issues = 0, other = 0;
    for (size_t i = 0; i < raster->rgba.size(); i += 4) {
      if (raster->rgba[i + 3] == 0) continue;
      const uint32_t rgb =
          uint32_t{raster->rgba[i]} << 16 | uint32_t{raster->rgba[i + 1]} << 8 | raster->rgba[i + 2];
      (rgb == colour_of(WorkKind::kernel) ? issues : other) += 1;
    }
    if (key.slots) {
      ++slots;
      const double share = double(issues) / double(raster->width * raster->height);
      EXPECT_EQ(other, 0u);
      EXPECT_NEAR(share, double(view.schedulers[key.first_row].issues.size()) / view.cycles, 0.05);
    } else {
      ++rows;
      const double share = double(issues) / double(issues + other);
      EXPECT_NEAR(share, view.shares[0] + view.shares[1], 0.03) << "issuing and ready have one colour";
    }
  }
  EXPECT_EQ(slots, view.schedulers.size());
  EXPECT_EQ(rows, 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens
