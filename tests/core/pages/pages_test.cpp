#include "core/pages/time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/gpu/exec/support.h"

namespace warplens::pages {
namespace {

// A line of tests/data/truth/pages_h200.txt (pages.cu).
struct Step {
  uint64_t bytes = 0, filled = 0;
  std::string advice, side, does;
  uint64_t in_bytes = 0, every = 0, to_device = 0, to_host = 0, host_misses = 0, device_groups = 0;
  double us = 0, copies_us = 0;
};

std::vector<Use> uses_of(const Step& step) {
  std::vector<Use> uses((step.bytes + unit_bytes - 1) / unit_bytes);
  for (uint64_t at = 0; at < step.in_bytes; at += std::max(step.every, page_bytes)) {
    Use& use = uses[at / unit_bytes];
    ++use.pages;
    use.writes = step.does == "writes";
  }
  return uses;
}

Moves moves_of(Array& array, const Step& step) {
  const Advice advice{step.advice == "read_mostly",
                      step.advice == "prefers_host" || step.advice == "accessed_by_device"};
  const Side side =
      step.side == "host" || (step.side == "prefetch" && step.does == "host") ? Side::host : Side::device;
  if (step.side == "prefetch") return array.prefetch(side, 0, array.units(), advice);
  return array.use(side, uses_of(step), advice);
}

TEST(Pages, MoveAsOnAnH200) {
  std::ifstream file(exec::test::source_file("tests/data/truth/pages_h200.txt"));
  ASSERT_TRUE(file);
  size_t steps = 0, kernels = 0;
  double groups_off = 0;
  // A launch and the wait for it, where no page is missed.
  constexpr double launch_us = 100;
  std::vector<double> times;  // modelled / measured
  Array array(0);
  bool is_new = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    if (line == "new") {
      is_new = true;
      continue;
    }
    Step step;
    std::istringstream words(line);
    words >> step.bytes >> step.filled >> step.advice >> step.side >> step.does >> step.in_bytes >>
        step.every >> step.to_device >> step.to_host >> step.host_misses >> step.device_groups >> step.us >>
        step.copies_us;
    ASSERT_TRUE(words) << line;
    if (is_new) {
      array = Array(step.bytes);
      Step fill = step;
      fill.does = "writes";
      fill.in_bytes = step.filled;
      fill.every = 1;
      EXPECT_EQ(array.use(Side::host, uses_of(fill), {}).bytes, 0u);
      is_new = false;
    }
    const Moves moves = moves_of(array, step);
    const bool to_host = step.side == "host" || step.does == "host";
    EXPECT_EQ(moves.bytes, to_host ? step.to_host : step.to_device) << line;
    EXPECT_EQ(to_host ? step.to_device : step.to_host, 0u) << line;
    if (step.side == "host") {
      EXPECT_EQ(moves.misses, step.host_misses) << line;
    } else if (step.side == "kernel" && step.every == 1 && step.advice == "none") {
      // How many of its misses a device does at once is chance.
      groups_off += std::abs(static_cast<double>(moves.misses) - static_cast<double>(step.device_groups));
      kernels += step.device_groups;
    }
    if (step.side == "kernel" && step.to_device >= uint64_t{1} << 20)
      times.push_back((use_us(Side::device, moves) + launch_us) / step.us);
    ++steps;
  }
  std::ranges::sort(times);
  ASSERT_GT(times.size(), 20u);
  const double median = times[times.size() / 2];
  RecordProperty("median of modelled over measured time", std::to_string(median));
  EXPECT_GT(median, 0.75);
  EXPECT_LT(median, 1.25);
  EXPECT_GT(steps, 100u);
  EXPECT_LT(groups_off, 0.06 * static_cast<double>(kernels));
}

TEST(Pages, TellWhatChanged) {
  Array array(5 * unit_bytes - 1);
  ASSERT_EQ(array.units(), 5u);
  std::vector<Use> uses(5);
  uses[1].pages = uses[2].pages = uses[4].pages = 1;
  EXPECT_EQ(array.use(Side::host, uses, {}).changed, (std::vector<PageRun>{{1, 2, 1}, {4, 1, 1}}));
  EXPECT_FALSE(array.use(Side::host, uses, {}).any());
  EXPECT_EQ(array.prefetch(Side::device, 2, 100, {}).changed, (std::vector<PageRun>{{2, 3, 2}}));
  EXPECT_EQ(array.prefetch(Side::host, 2, 2, {}).changed, std::vector<PageRun>{});
  EXPECT_FALSE(Array(0).use(Side::device, uses, {}).any());
}

TEST(Pages, ReadMostlyOnesAreOnBothSidesUntilOneWrites) {
  Array array(unit_bytes);
  const std::vector<Use> reads{{16, false}}, writes{{3, true}};
  const Advice read_mostly{true, false};
  array.use(Side::host, writes, read_mostly);
  EXPECT_EQ(array.use(Side::device, reads, read_mostly).changed, (std::vector<PageRun>{{0, 1, 3}}));
  EXPECT_FALSE(array.use(Side::host, reads, read_mostly).any());
  const Moves after = array.use(Side::host, writes, read_mostly);
  EXPECT_EQ(after.changed, (std::vector<PageRun>{{0, 1, 1}}));
  EXPECT_EQ(after.misses, 3u);
  EXPECT_EQ(after.bytes, 0u);
}

}  // namespace
}  // namespace warplens::pages
