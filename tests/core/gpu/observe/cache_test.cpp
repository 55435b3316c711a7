#include "core/gpu/observe/cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <utility>

namespace warplens::observe {
namespace THIS_FILE {

TEST(Cache, KeepsSectorsUntilTheirLineMustGo) {
  // One set of two lines of four sectors.
  SectoredCache cache({.bytes = 256, .line_bytes = 128, .ways = 2});
  EXPECT_EQ(cache.access({0, 0b0001}, true, false).hits, 0u);
  EXPECT_EQ(cache.access({0, 0b0001}, true, false).hits, 0b0001u);
  EXPECT_EQ(cache.access({0, 0b0011}, true, true).hits, 0b0001u);  // same line, another sector too
  EXPECT_EQ(cache.access({1, 0b0001}, true, false).hits, 0u);
  EXPECT_EQ(cache.access({0, 0b0001}, true, false).hits, 0b0001u);
  EXPECT_EQ(cache.access({2, 0b0001}, true, false).hits, 0u);  // takes the place of line 1
  EXPECT_EQ(cache.access({0, 0b0010}, true, false).hits, 0b0010u);
  EXPECT_EQ(cache.access({1, 0b0001}, false, false).hits, 0u);
  EXPECT_EQ(cache.access({1, 0b0001}, true, false).hits, 0u);  // was not filled before; takes line 2's place
  const auto outcome = cache.access({3, 0b1111}, true, false);
  EXPECT_EQ(outcome.hits, 0u);
  EXPECT_EQ(outcome.written_back, 2u);  // two sectors of line 0 were dirty
  cache.clear();
  EXPECT_EQ(cache.access({3, 0b1111}, true, false).hits, 0u);
}

TEST(Cache, ReplacesTheLineThatWasUsedLongestAgo) {
  // One set, so that a list in order of use says what must be there.
  constexpr uint32_t ways = 8;
  SectoredCache cache({.bytes = 128 * ways, .line_bytes = 128, .ways = ways});
  std::list<std::pair<uint64_t, uint32_t>> expected;  // newest first
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const LinePart part{random() % 12, static_cast<uint32_t>(random() % 15 + 1)};
    const bool allocate = random() % 4 != 0;
    const auto found =
        std::find_if(expected.begin(), expected.end(), [&](const auto& l) { return l.first == part.line; });
    const uint32_t valid = found == expected.end() ? 0 : found->second, hits = valid & part.sectors;
    ASSERT_EQ(cache.access(part, allocate, false).hits, hits) << i;
    if (!allocate && hits == 0) continue;
    if (found != expected.end()) expected.erase(found);
    expected.emplace_front(part.line, valid | (allocate ? part.sectors : 0));
    if (expected.size() > ways) expected.pop_back();
  }
}

TEST(Cache, DealsNeighbouringLinesOutEvenly) {
  for (const uint64_t sets : {uint64_t{1}, uint64_t{3}, uint64_t{64}, uint64_t{1000}, uint64_t{25601}}) {
    for (const uint64_t run : {uint64_t{0}, uint64_t{7}, (uint64_t{1} << 49) / sets}) {
      SectoredCache cache({.bytes = sets * 128 * most_ways, .line_bytes = 128, .ways = most_ways});
      const uint64_t first = run * sets, end = first + sets * most_ways;
      for (uint64_t line = first; line < end; ++line) cache.access({line, 0b0101}, true, true);
      uint64_t missing = 0;
      for (uint64_t line = first; line < end; ++line)
        missing += cache.access({line, 0b1111}, false, false).hits != 0b0101u;
      EXPECT_EQ(missing, 0u) << sets << " sets from line " << first;
      // The cache is full: one more line takes the place of the first of its set.
      EXPECT_EQ(cache.access({end, 0b0001}, true, false).written_back, 2u) << sets;
    }
  }
}

TEST(Cache, CountsWhatPassesBetweenTheLevels) {
  const CacheShape shape{.bytes = 4096, .line_bytes = 128, .ways = 4};
  CacheHierarchy caches(2, shape, shape);
  caches.load(0, {7, 0b0011});
  caches.load(0, {7, 0b0111});  // two of three are there
  caches.load(1, {7, 0b0111});  // another SM has an L1 of its own
  caches.store(1, {9, 0b1111}, false);
  caches.load_past_l1({9, 0b0001});
  caches.atomic({9, 0b0010});
  const CacheTraffic& traffic = caches.traffic();
  EXPECT_EQ(traffic.l1_load_sectors, 9u);
  EXPECT_EQ(traffic.l1_hit_sectors, 2u);
  EXPECT_EQ(traffic.l2_read_sectors, 2u + 1 + 3 + 1 + 1);
  EXPECT_EQ(traffic.l2_write_sectors, 4u);
  EXPECT_EQ(traffic.l2_hit_sectors, 3u + 1 + 1);
  EXPECT_EQ(traffic.dram_read_sectors, 3u);
  caches.start_launch();
  caches.load(0, {7, 0b0001});
  EXPECT_EQ(caches.traffic().l1_hit_sectors, 2u);
  EXPECT_EQ(caches.traffic().l2_hit_sectors, 6u);
}

}  // namespace THIS_FILE
}  // namespace warplens::observe
