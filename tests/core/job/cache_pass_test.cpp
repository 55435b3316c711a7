#include <gtest/gtest.h>

#include <cstdio>

#include "core/gpu/engine/cache_sample.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/timing/time_model.h"
#include "core/job/cache_pass.h"

namespace warplens {
namespace THIS_FILE {

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
}

// The first run has no observer, so it takes the short path through whole rows.
TEST(CachePass, WhatAKernelDoesIsCountedAlikeWhetherSomebodyWatchesOrNot) {
  for (const char* kernel : {"vector_add", "matmul_naive", "transpose_naive", "grayscale"}) {
    Job job = job_for(kernel, {}, std::nullopt, false);
    const RunResult plain = run(job);
    auto watched = std::make_shared<LaunchRequest>(*job.request);
    watched->model_caches = true;
    job.request = watched;
    EXPECT_EQ(run(job).launches.front().mix, plain.launches.front().mix) << kernel;
  }
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

// Constant memory has its own caches, so its loads are no hits in L1: hits never exceed the requests.
TEST(CachePass, ConstantsAreNoHitsInL1) {
  const RunResult result = run(job_for("convolution_constant", {}, std::nullopt, true));
  const Counters& counters = *result.counters;
  ASSERT_GT(counters.constant_load_requests, 0u);
  ASSERT_TRUE(counters.l1_hit_sectors && counters.l2_read_sectors);
  EXPECT_EQ(*counters.l1_hit_sectors + *counters.l2_read_sectors, counters.global_load_sectors);
  EXPECT_LE(*l1_hit_percent(counters), 100.0);
}

TEST(CachePass, SectorsOfTexturesCountAmongThoseThatL1WasAskedFor) {
  Counters counters;
  EXPECT_FALSE(l1_hit_percent(counters));
  counters.l1_hit_sectors = 30;
  EXPECT_FALSE(l1_hit_percent(counters)) << "nothing was loaded";
  counters.global_load_sectors = 20;
  counters.texture_sectors = 40;
  EXPECT_EQ(l1_hit_percent(counters), 50.0);
}

TEST(CachePass, SaysWhyItDoesNotRun) {
  RunResult result = run(job_for("vector_add", {{"n", 1000}}, std::nullopt, false));
  EXPECT_EQ(why_no_caches(result), "");
  result.counters->global_load_sectors = affordable_cache_sectors + 1;
  EXPECT_NE(why_no_caches(result).find("sectors"), std::string::npos) << why_no_caches(result);
  result.status = RunStatus::fault;
  EXPECT_NE(why_no_caches(result), "");
}

// A sample of blocks against all of them, on kernels that the model of the caches takes whole.
TEST(CachePass, ASampleOfBlocksFindsInL1WhatAllFind) {
  struct Case {
    const char* kernel;
    std::map<std::string, double> values;
    Dim3 block;
  };
  for (const Case& one : {Case{"vector_add", {{"n", 300'000}}, {256, 1, 1}},
                          Case{"matmul_naive", {{"m", 192}, {"n", 192}, {"k", 192}}, {16, 16, 1}},
                          Case{"transpose_naive", {{"width", 512}, {"height", 512}}, {32, 8, 1}},
                          Case{"box_blur", {}, {16, 16, 1}}, Case{"sobel", {}, {32, 8, 1}},
                          Case{"reduce_shared", {{"n", 500'000}}, {128, 1, 1}},
                          Case{"local_array", {{"n", 50'000}}, {128, 1, 1}}}) {
    const auto known = find_kernel(one.kernel);
    ASSERT_TRUE(known) << one.kernel;
    const RunResult whole = run(job_for(one.kernel, one.values, one.block, true));
    ASSERT_TRUE(whole.counters && whole.counters->l1_hit_sectors) << one.kernel;
    const double asked = double(sectors_loaded(*whole.counters));
    const double all = double(*whole.counters->l1_hit_sectors) / asked;
    const auto sample = sample_caches(*whole.request, 64, 2'000'000, {});
    ASSERT_TRUE(sample) << sample.error().message;
    ASSERT_TRUE(*sample) << one.kernel;
    const double some = double((*sample)->hit_sectors) / double((*sample)->load_sectors);
    std::printf("%s: %llu of %llu blocks, %.3f of loads hit L1, all %.3f\n", one.kernel,
                static_cast<unsigned long long>((*sample)->blocks),
                static_cast<unsigned long long>(whole.shape.grid.count()), some, all);
    EXPECT_LE((*sample)->blocks, 64u);
    EXPECT_NEAR(some, all, 0.08) << one.kernel;
    const auto again = sample_caches(*whole.request, 64, 2'000'000, {});
    ASSERT_TRUE(again && *again);
    EXPECT_EQ(**again, **sample) << "the same each time";
  }
}

TEST(CachePass, WhatIsTooLongTakesASampleAndSaysSo) {
  const RunResult result =
      run(job_for("matmul_naive", {{"m", 400}, {"n", 400}, {"k", 400}}, Dim3{16, 16, 1}, true));
  ASSERT_TRUE(result.counters);
  ASSERT_GT(sectors_asked_for(*result.counters), affordable_cache_sectors);
  EXPECT_FALSE(result.counters->l1_hit_sectors) << "a sample is no counter";
  ASSERT_TRUE(result.launches.front().cache_sample);
  EXPECT_EQ(affordable_sample(result), 0u) << "not a second time";
  EXPECT_FALSE(without_caches(result).launches.front().cache_sample);
  const RunTimes times = model_times(result, default_time_parameters());
  if (!times.kernels.front().us) GTEST_SKIP() << "no assembler, so no times";
  const TimePart* l2 = part_of(times.kernels.front(), TimePartKind::l2);
  ASSERT_NE(l2, nullptr);
  EXPECT_NE(l2->formula.find("a sample of"), std::string::npos) << l2->formula;
  EXPECT_NEAR(*result.time.kernel, times.kernels.front().us->value, 1e-9);
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

}  // namespace THIS_FILE
}  // namespace warplens
