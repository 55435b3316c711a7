#include <gtest/gtest.h>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/cache_pass.h"

namespace warplens {
namespace {

Job job_for(const char* name, const std::map<std::string, double>& values, std::optional<Dim3> block,
            bool caches) {
  const auto kernel = find_kernel(name);
  EXPECT_TRUE(kernel) << name;
  KernelSetup setup = default_setup(**kernel);
  for (const auto& [key, value] : values) setup.values[key] = value;
  if (block) setup.block = *block;
  RunOptions options;
  options.caches = caches;
  auto job = make_job(borrowed(**kernel), setup, *find_device("3060"), options);
  EXPECT_TRUE(job) << (job ? "" : job.error().message);
  return job ? *job : Job{};
}

RunResult run(const Job& job) {
  const auto backend = make_virtual_gpu();
  auto result = run_job(job, *backend, {}, nullptr);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : RunResult{};
}

TEST(CachePass, AddsWhatTheCachesMovedAndLeavesTheRest) {
  const RunResult plain = run(job_for("vector_add", {{"n", 100'000}}, std::nullopt, false));
  const RunResult cached = run(job_for("vector_add", {{"n", 100'000}}, std::nullopt, true));
  ASSERT_TRUE(plain.counters && cached.counters);
  EXPECT_FALSE(plain.counters->dram_read_bytes);
  // Two vectors come from memory once, and nothing is read twice.
  EXPECT_EQ(cached.counters->dram_read_bytes, 800'000u);
  EXPECT_EQ(cached.counters->l1_hit_sectors, 0u);
  EXPECT_EQ(cached.counters->l2_read_sectors, 25'000u);
  EXPECT_EQ(without_caches(cached).counters, plain.counters);
  EXPECT_EQ(cached.outputs.size(), plain.outputs.size());
  EXPECT_EQ(cached.checks.size(), plain.checks.size());
  if (!plain.occupancy) GTEST_SKIP() << "no linker, so no times";
  EXPECT_LT(*cached.time.high - *cached.time.low, *plain.time.high - *plain.time.low)
      << "what is known makes the band narrower";
}

TEST(CachePass, EachLaunchHasItsOwnTraffic) {
  const RunResult result = run(job_for("chain_on_device", {{"n", 4096}}, std::nullopt, true));
  ASSERT_EQ(result.launches.size(), 3u);
  uint64_t reads = 0;
  for (const LaunchRecord& launch : result.launches) {
    ASSERT_TRUE(launch.counters && launch.counters->l2_read_sectors);
    reads += *launch.counters->l2_read_sectors;
  }
  EXPECT_EQ(reads, *result.counters->l2_read_sectors);
  EXPECT_EQ(*result.launches[0].counters->dram_read_bytes, 2u * 4096 * 4);
  EXPECT_EQ(*result.launches[1].counters->dram_read_bytes, 0u) << "the sum is still in L2";
}

TEST(CachePass, SaysWhyItDoesNotRun) {
  RunResult result = run(job_for("vector_add", {{"n", 1000}}, std::nullopt, false));
  EXPECT_EQ(why_no_caches(result), "");
  result.counters->global_load_sectors = affordable_cache_sectors + 1;
  EXPECT_NE(why_no_caches(result).find("sectors"), std::string::npos) << why_no_caches(result);
  result.status = RunStatus::fault;
  EXPECT_NE(why_no_caches(result), "");
}

// The story of the course's two grayscale kernels: the same arithmetic, and lanes a row apart.
TEST(CachePass, LanesARowApartTakeTwiceAsLongAtLeast) {
  const RunResult row = run(job_for("grayscale_row_on_x", {}, Dim3{256, 1, 1}, true));
  const RunResult column = run(job_for("grayscale", {}, Dim3{256, 1, 1}, true));
  EXPECT_GT(row.counters->global_load_sectors, 10 * column.counters->global_load_sectors);
  EXPECT_GT(*row.counters->l2_read_sectors, 10 * *column.counters->l2_read_sectors);
  EXPECT_EQ(row.counters->dram_read_bytes, column.counters->dram_read_bytes) << "both fit into L2";
  if (!row.time.kernel || !column.time.kernel) GTEST_SKIP() << "no linker, so no times";
  EXPECT_GT(*row.time.kernel, 2 * *column.time.kernel);
}

}  // namespace
}  // namespace warplens
