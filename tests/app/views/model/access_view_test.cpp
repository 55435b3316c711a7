#include "app/views/model/access_view.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "app/base/draw/save_picture.h"
#include "app/views/grid/picture.h"
#include "app/views/model/access_picture.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

// Where the picture shows a byte: the sector box that contains it, and the offset in this box.
uint64_t byte_under(const AccessView& view, const AccessLayout& layout, Point at) {
  size_t i = 0;
  for (const SectorRun& run : view.runs) {
    for (uint64_t s = 0; s < run.count; ++s, ++i) {
      const Box& box = layout.sectors[i];
      if (at.x >= box.x && at.x < box.right())
        return (run.first + s) * sector_bytes +
               static_cast<uint64_t>((at.x - box.x) / box.width * sector_bytes);
    }
  }
  return UINT64_MAX;
}

// Every arrow starts at its lane and ends at the byte that the run recorded, and there are no others.
void expect_arrows_as_recorded(const LaunchRequest& request, const BlockFootprint& footprint, Box box) {
  const Style style = paper_style(Theme::dark);
  for (size_t i = 0; i < footprint.accesses.size(); ++i) {
    const WarpAccess& access = footprint.accesses[i];
    const AccessView view = view_access(request, footprint, i);
    const AccessLayout layout = layout_access(style, box, view);
    std::map<uint32_t, const AccessLayout::Arrow*> by_lane;
    for (const AccessLayout::Arrow& arrow : layout.arrows)
      EXPECT_TRUE(by_lane.emplace(arrow.lane, &arrow).second);
    ASSERT_EQ(by_lane.size(), static_cast<size_t>(std::popcount(access.mask)));
    for (const auto& [lane, arrow] : by_lane) {
      ASSERT_NE(access.mask >> lane & 1, 0u);
      EXPECT_TRUE(arrow->from.x > layout.lanes[lane].x && arrow->from.x < layout.lanes[lane].right());
      const uint64_t byte = byte_under(view, layout, arrow->to);
      EXPECT_GE(byte, access.offset[lane]);
      EXPECT_LT(byte, access.offset[lane] + access.bytes_per_lane);
    }
    EXPECT_EQ(layout.sectors.size(), access.sectors);
  }
}

TEST(AccessPicture, ArrowsEndAtTheRecordedBytes) {
  const fixture::Gray gray = fixture::make_gray(512, 100, {16, 16, 1});
  for (const Dim3 block : {Dim3{0, 0, 0}, Dim3{19, 6, 0}}) {
    const BlockFootprint footprint = fixture::make_footprint(gray, block);
    ASSERT_FALSE(footprint.accesses.empty());
    expect_arrows_as_recorded(*gray.result.request, footprint, {20, 20, 800, 160});
    expect_arrows_as_recorded(*gray.result.request, footprint, {3, 3, 290, 100});
  }
}

TEST(AccessPicture, ScatteredLanesKeepTheirSectorsApart) {
  const fixture::Gray gray = fixture::make_gray(512, 512);
  BlockFootprint footprint;
  WarpAccess access;
  access.mask = 0xffffffff;
  access.bytes_per_lane = 4;
  access.buffer = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) access.offset[lane] = (lane * 37 % 32) * 4096;
  fixture::count_sectors(access);
  footprint.accesses = {access};
  expect_arrows_as_recorded(*gray.result.request, footprint, {0, 0, 1000, 160});
  const AccessLayout layout = layout_access(paper_style(Theme::dark), {0, 0, 1000, 160},
                                            view_access(*gray.result.request, footprint, 0));
  for (size_t i = 1; i < layout.sectors.size(); ++i)
    EXPECT_GE(layout.sectors[i].x, layout.sectors[i - 1].right() - 0.01f);
  EXPECT_GE(layout.sectors.front().x, -0.01f);
  EXPECT_LE(layout.sectors.back().right(), 1000.01f);
}

TEST(AccessView, SaysWhatTheRunCounted) {
  const fixture::Gray gray = fixture::make_gray(512, 512);
  const BlockFootprint footprint = fixture::make_footprint(gray, {19, 7, 0});
  const AccessView view = view_access(*gray.result.request, footprint, 12);  // warp 3: rows 118 and 119
  EXPECT_EQ(view.warp, 3u);
  EXPECT_EQ(view.title, "load of rgb · line 10");
  EXPECT_EQ(view.sentence, "32 lanes × 1 B: 4 sectors of 32 B touched, 1 ideal");
  ASSERT_EQ(view.runs.size(), 2u);
  EXPECT_EQ(view.runs[0].place, "row 118");
  EXPECT_EQ(view.runs[0].first_byte, 3u * (118 * 512 + 304));
  EXPECT_EQ(view.runs[0].last_byte, 3u * (118 * 512 + 319));
  const LoadTotals totals = totals_like(footprint, 12);
  EXPECT_EQ(totals.accesses, 3u);
  EXPECT_EQ(totals.distinct_bytes, 96u);
}

TEST(AccessView, SharedAccessesGoToBanks) {
  const fixture::Gray gray = fixture::make_gray();
  BlockFootprint footprint;
  WarpAccess access;
  access.mask = 0xf;
  access.space = Space::shared;
  access.bytes_per_lane = 4;
  access.offset = {0, 128, 256, 4};
  access.wavefronts = 3;
  footprint.accesses = {access};
  const AccessView view = view_access(*gray.result.request, footprint, 0);
  EXPECT_EQ(view.bank_words[0], 3u);
  EXPECT_EQ(view.bank_words[1], 1u);
  EXPECT_EQ(view.sentence, "4 lanes × 4 B: 3 wavefronts");
  const AccessLayout layout = layout_access(paper_style(Theme::dark), {0, 0, 640, 160}, view);
  ASSERT_EQ(layout.arrows.size(), 4u);
  EXPECT_FLOAT_EQ(layout.arrows[1].to.x, layout.sectors[0].centre().x);
  EXPECT_FLOAT_EQ(layout.arrows[3].to.x, layout.sectors[1].centre().x);
}

TEST(ThreadAccesses, ListElementsWithTheirValues) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const BlockFootprint footprint = fixture::make_footprint(gray, {1, 2, 0});
  const std::vector<ThreadAccess> rows = accesses_of_thread(gray.result, footprint, {4, 7, 0});
  ASSERT_EQ(rows.size(), 4u);
  const uint64_t pixel = (2 * 16 + 7) * 64 + 16 + 4;
  const Bytes& rgb = *gray.result.request->buffers[0].initial;
  for (uint64_t c = 0; c < 3; ++c) {
    EXPECT_EQ(rows[c].place, "rgb[" + std::to_string(3 * pixel + c) + "]");
    EXPECT_EQ(rows[c].value, std::to_string(std::to_integer<int>(rgb[3 * pixel + c])));
  }
  EXPECT_EQ(rows[3].kind, AccessKind::store);
  EXPECT_EQ(rows[3].element, pixel);
  EXPECT_EQ(rows[3].value, std::to_string(std::to_integer<int>((*gray.result.outputs[0].bytes)[pixel])));
}

TEST(ThreadAccesses, AValueThatIsNotKnownIsNotInvented) {
  fixture::Gray gray = fixture::make_gray(64, 48);
  const BlockFootprint footprint = fixture::make_footprint(gray, {1, 2, 0});
  auto writers = std::make_shared<WriterMap>(*gray.result.outputs[0].writers);
  for (uint64_t& writer : writers->writer) writer = 1;  // another thread wrote last
  gray.result.outputs[0].writers = writers;
  auto request = std::make_shared<LaunchRequest>(*gray.result.request);
  request->buffers[0].output = true;  // the kernel may have written it
  gray.result.request = request;
  for (const ThreadAccess& row : accesses_of_thread(gray.result, footprint, {4, 7, 0}))
    EXPECT_EQ(row.value, std::nullopt) << row.place;
}

TEST(ThreadWork, KnowsWhoWroteNothing) {
  const fixture::Gray gray =
      fixture::make_gray(50, 48);  // the last column of blocks reaches past the picture
  const ThreadWork work = thread_work(fixture::make_footprint(gray, {3, 0, 0}), gray.block);
  for (uint32_t i = 0; i < gray.block.count(); ++i) EXPECT_EQ(work.wrote[i], 48 + i % 16 < 50) << i;
}

TEST(AccessGroups, FoldLoopsIntoOneChip) {
  const fixture::Gray gray = fixture::make_gray();
  BlockFootprint footprint = fixture::make_footprint(gray, {0, 0, 0});
  const BlockFootprint again = footprint;
  footprint.accesses.insert(footprint.accesses.end(), again.accesses.begin(), again.accesses.end());
  const std::vector<AccessGroup> groups = access_groups(*gray.result.request, footprint, 1);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].indices.size(), 2u);
  EXPECT_EQ(groups[0].label, "load of rgb · line 10 · 2 times");
}

}  // namespace THIS_FILE
}  // namespace warplens
