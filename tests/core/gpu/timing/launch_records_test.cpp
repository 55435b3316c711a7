// The data of each launch that a run keeps for the time model.
#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/timing/time_model.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

RunResult run_add(double n) {
  const auto kernel = find_kernel("vector_add");
  EXPECT_TRUE(kernel);
  KernelSetup setup = default_setup(**kernel);
  setup.values["n"] = n;
  const auto job = make_job(borrowed(**kernel), setup, *find_device("3060"), {});
  EXPECT_TRUE(job);
  const auto backend = make_virtual_gpu();
  auto result = run_job(*job, *backend, {}, nullptr);
  EXPECT_TRUE(result);
  return *result;
}

TEST(LaunchRecords, TheMixIsAllThatWasCounted) {
  const RunResult result = run_add(10'000);
  ASSERT_EQ(result.launches.size(), 1u);
  const LaunchRecord& launch = result.launches[0];
  EXPECT_EQ(launch.counters, result.counters);
  EXPECT_EQ(launch.entry, "vector_add");
  const auto& mix = launch.mix.warp_instructions;
  EXPECT_EQ(std::accumulate(mix.begin(), mix.end(), uint64_t{0}), result.counters->warp_instructions);
  EXPECT_EQ(launch.mix.of(IssueUnit::fp32), 313u) << "a warp of each 32 elements adds once";
  EXPECT_EQ(launch.mix.float_operations, 10'000u);
  EXPECT_GT(launch.mix.integer_operations, 10'000u);
  EXPECT_EQ(launch.mix.of(IssueUnit::fp64), 0u);
}

TEST(LaunchRecords, TheReportsTimesAreTheModels) {
  const RunResult result = run_add(1'000'000);
  if (!result.occupancy) GTEST_SKIP() << "no linker, so no registers and no times";
  ASSERT_TRUE(result.time.kernel && result.time.copy_in && result.time.low && result.time.high);
  EXPECT_EQ(result.time.source, Provenance::modelled);
  EXPECT_GT(*result.time.kernel, 12e6 / 360e3) << "no faster than its bytes over the bandwidth";
  EXPECT_LT(*result.time.low, *result.time.high);
  EXPECT_FALSE(result.time.compile.has_value()) << "nothing was compiled for this run";
  const RunTimes again = model_times(result, default_time_parameters());
  ASSERT_EQ(again.kernels.size(), 1u);
  EXPECT_DOUBLE_EQ(again.kernels[0].us->value, *result.time.kernel);
}

// The window records blocks for its heat map, the command line does not: both say the same time.
TEST(LaunchRecords, BlocksOfLoopsAreKeptWhetherAnybodyRecordsThemOrNot) {
  const auto backend = make_virtual_gpu();
  for (const auto& [name, loops] : {std::pair{"vector_add", false}, {"mandelbrot", true}}) {
    std::vector<RunResult> results;
    for (const bool recorded : {false, true}) {
      const auto kernel = find_kernel(name);
      ASSERT_TRUE(kernel);
      RunOptions options;
      options.record_blocks = recorded;
      const auto job = make_job(borrowed(**kernel), default_setup(**kernel), *find_device("3060"), options);
      ASSERT_TRUE(job);
      const auto result = run_job(*job, *backend, {}, nullptr);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->blocks != nullptr, recorded) << name;
      EXPECT_EQ(!result->launches[0].block_work.empty(), loops) << name;
      results.push_back(*result);
    }
    EXPECT_EQ(results[0].time.kernel, results[1].time.kernel) << name;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
