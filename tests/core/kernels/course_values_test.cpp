// What the courses print, and what the kernels are there to show: values, steps, warnings, counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "core/compile/compiler.h"
#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "core/launch/steps.h"

namespace warplens {
namespace THIS_FILE {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

KernelSetup setup_of(const std::string& name, std::map<std::string, double> values = {}) {
  KernelSetup setup = default_setup(**find_kernel(name));
  setup.values = std::move(values);
  return setup;
}

RunResult run(const KernelSetup& setup) {
  RunOptions options;
  options.record_writers = true;
  const auto job = make_job(borrowed(**find_kernel(setup.kernel)), setup, *find_device("RTX 3060"), options);
  EXPECT_TRUE(job) << (job ? "" : job.error().message);
  if (!job) return {};
  const auto gpu = make_virtual_gpu();
  auto result = run_job(*job, *gpu, std::stop_token(), nullptr);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : RunResult{};
}

template <class T>
std::vector<T> output(const RunResult& result, std::string_view name) {
  for (const OutputBuffer& output : result.outputs) {
    if (result.request->buffers[output.index].name != name) continue;
    std::vector<T> values(output.bytes->size() / sizeof(T));
    std::memcpy(values.data(), output.bytes->data(), values.size() * sizeof(T));
    return values;
  }
  ADD_FAILURE() << name << " was not handed back";
  return {};
}

// As NumPy adds: in pairs, not one value after the other.
double pairwise_sum(std::span<const double> values) {
  if (values.size() <= 8) return std::accumulate(values.begin(), values.end(), 0.0);
  const size_t half = values.size() / 2;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

std::vector<std::string> warning_ids(const std::vector<Warning>& warnings) {
  std::vector<std::string> ids;
  for (const Warning& warning : warnings) ids.emplace_back(to_string(warning.id));
  return ids;
}

TEST(CourseValues, LoopTestGivesItsSum) {
  const RunResult result = run(setup_of("loop_test"));
  EXPECT_EQ(result.status, RunStatus::ok) << result.message;
  const auto out = output<double>(result, "out");
  ASSERT_EQ(out.size(), 10000u);
  EXPECT_EQ(pairwise_sum(out), 249950002500000.0);
}

TEST(CourseValues, LoopTestIsUnderUtilisedAt256ThreadsAndNotAt64) {
  KernelSetup setup = setup_of("loop_test", {{"loops", 1}});
  RunResult result = run(setup);
  EXPECT_EQ(result.shape.grid, (Dim3{40, 1, 1}));
  EXPECT_THAT(warning_ids(result.warnings), Contains("low_occupancy_grid"));
  setup.block = {64, 1, 1};
  result = run(setup);
  EXPECT_EQ(result.shape.grid, (Dim3{157, 1, 1}));
  EXPECT_THAT(warning_ids(result.warnings), testing::Not(Contains("low_occupancy_grid")));
}

TEST(CourseValues, LucasNumbers) {
  const auto out = output<int64_t>(run(setup_of("lucas")), "out");
  ASSERT_EQ(out.size(), 41u);
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(out[10], 123);
  EXPECT_EQ(out[40], 228826127);
  EXPECT_EQ(output<int64_t>(run(setup_of("lucas", {{"n", 90}})), "out")[90], 6440026026380244498);
}

TEST(CourseValues, RecursionUsesTheStackAndParts) {
  const RunResult loop = run(setup_of("lucas", {{"n", 16}})), calls = run(setup_of("lucas_recursive"));
  EXPECT_EQ(output<int64_t>(loop, "out"), output<int64_t>(calls, "out"));
  EXPECT_EQ(output<int64_t>(calls, "out")[16], 2207);
  EXPECT_GT(calls.counters->divergent_branches, loop.counters->divergent_branches);
  EXPECT_GT(calls.counters->warp_instructions, 10 * loop.counters->warp_instructions);
}

TEST(CourseValues, TheThreadOfBlockOneOneStandsAtThreeThree) {
  const RunResult result = run(setup_of("index_map_2d"));
  EXPECT_EQ(result.shape.block, (Dim3{3, 3, 1}));
  const size_t element = 3 * 9 + 3;
  EXPECT_EQ(output<int32_t>(result, "x_of")[element], 3);
  EXPECT_EQ(output<int32_t>(result, "y_of")[element], 3);
  // Written by blockIdx (1, 1), which is the fifth of 3 x 2 blocks, and its first thread.
  ASSERT_FALSE(result.outputs.empty());
  ASSERT_TRUE(result.outputs[0].writers);
  EXPECT_EQ(result.outputs[0].writers->writer[element], 4u * 9 + 0 + 1);
}

TEST(CourseValues, UfuncAddAndItsHiddenSteps) {
  const RunResult result = run(setup_of("ufunc_add"));
  EXPECT_EQ(output<int64_t>(result, "out"), (std::vector<int64_t>{11, 22, 33, 44}));
  std::vector<std::string> steps;
  for (const Step& step : result.request->steps) steps.push_back(describe(step, *result.request));
  EXPECT_EQ(steps, (std::vector<std::string>{
                       "allocate x on the device: 32 bytes", "copy x to the device: 32 bytes",
                       "allocate y on the device: 32 bytes", "copy y to the device: 32 bytes",
                       "allocate out on the device: 32 bytes", "launch ufunc_add: 1 block of 64 threads",
                       "copy out to the host: 32 bytes", "free x", "free y", "free out"}));
}

TEST(CourseValues, GridStrideAddRunsThirtyBlocks) {
  const RunResult result = run(setup_of("grid_stride_add"));
  EXPECT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_EQ(result.shape.grid, (Dim3{30, 1, 1}));
  EXPECT_EQ(result.shape.block, (Dim3{128, 1, 1}));
  EXPECT_THAT(warning_ids(result.warnings), testing::Not(Contains("uncovered_elements")));
}

TEST(CourseValues, RowsAlongXTouchMoreSectors) {
  Image image{256, 128, 3, std::vector<uint8_t>(size_t{3} * 256 * 128, 7), "flat", {}};
  KernelSetup columns = setup_of("grayscale"), rows = setup_of("grayscale_row_on_x");
  columns.image = rows.image = std::make_shared<const Image>(std::move(image));
  columns.block = {32, 1, 1};
  rows.block = {32, 1, 1};
  const RunResult along = run(columns), across = run(rows);
  // 32 lanes side by side read 96 bytes, a byte every three: three sectors. A row apart, each has its own.
  EXPECT_EQ(along.counters->global_load_sectors, 3 * along.counters->global_load_requests);
  EXPECT_EQ(across.counters->global_load_sectors, 32 * across.counters->global_load_requests);
  EXPECT_EQ(across.counters->global_store_sectors, 32 * along.counters->global_store_sectors);
}

TEST(CourseValues, PaddingTakesTheBankConflictsAway) {
  const RunResult tiled = run(setup_of("transpose_tiled", {{"width", 64}, {"height", 96}}));
  const RunResult padded = run(setup_of("transpose_padded", {{"width", 64}, {"height", 96}}));
  EXPECT_EQ(tiled.counters->shared_load_requests, 64u * 96 / 32);
  EXPECT_EQ(tiled.counters->shared_load_bank_conflicts, 31 * tiled.counters->shared_load_requests);
  EXPECT_EQ(padded.counters->shared_load_requests, 64u * 96 / 32);
  EXPECT_EQ(padded.counters->shared_load_bank_conflicts, 0u);
  EXPECT_EQ(padded.counters->shared_store_bank_conflicts, 0u);
  EXPECT_EQ(tiled.counters->shared_store_bank_conflicts, 0u);
  const RunResult naive = run(setup_of("transpose_naive", {{"width", 64}, {"height", 96}}));
  EXPECT_EQ(naive.counters->global_store_sectors, 32 * naive.counters->global_store_requests);
  EXPECT_EQ(padded.counters->global_store_sectors, 4 * padded.counters->global_store_requests);
}

TEST(CourseValues, SharedAtomicsSpareGlobalOnes) {
  const RunResult global = run(setup_of("histogram_global")), shared = run(setup_of("histogram_shared"));
  EXPECT_GT(global.counters->atomic_requests, shared.counters->atomic_requests);
  const RunResult thread = run(setup_of("pi_atomic_thread")), block = run(setup_of("pi_atomic_block"));
  EXPECT_EQ(thread.counters->atomic_requests, 16384u / 32);
  EXPECT_EQ(block.counters->atomic_requests, 16384u / 256);
  const double share = output<uint32_t>(thread, "total")[0] / (2.0 * 16 * 16384);
  EXPECT_NEAR(4 * share, 3.14159, 0.01);
  EXPECT_NE(output<uint32_t>(run(setup_of("pi_atomic_block", {{"seed", 2}})), "total"),
            output<uint32_t>(block, "total"));
}

TEST(CourseValues, ALocalArrayMakesLocalTraffic) {
  const RunResult result = run(setup_of("local_array", {{"n", 64}}));
  EXPECT_GT(result.counters->local_load_sectors, 0u);
  EXPECT_GT(result.counters->local_store_sectors, 0u);
}

TEST(CourseValues, ARegisterCapMakesSpills) {
  if (!resources_of((*find_kernel("register_spill"))->ptx, "register_spill", {8, 6}))
    GTEST_SKIP() << "there is no linker on this machine";
  const RunResult capped = run(setup_of("register_spill", {{"n", 64}}));
  ASSERT_TRUE(capped.resources);
  EXPECT_LE(capped.resources->registers_per_thread, 32u);
  EXPECT_GT(capped.resources->spill_store_bytes, 0u);
  const RunResult free = run(setup_of("register_spill", {{"n", 64}, {"max_registers", 0}}));
  ASSERT_TRUE(free.resources);
  EXPECT_GT(free.resources->registers_per_thread, 64u);
  EXPECT_EQ(free.resources->spill_store_bytes, 0u);
}

TEST(CourseValues, TheChainWithCopiesComputesTheSameAndCopiesMore) {
  const auto copies = [](const RunResult& result) {
    return std::ranges::count_if(result.request->steps, [](const Step& step) {
      return std::holds_alternative<CopyInStep>(step) || std::holds_alternative<CopyOutStep>(step);
    });
  };
  const RunResult device = run(setup_of("chain_on_device", {{"n", 1000}})),
                  host = run(setup_of("chain_with_copies", {{"n", 1000}}));
  EXPECT_EQ(output<float>(device, "out"), output<float>(host, "out"));
  EXPECT_EQ(copies(device), 3);
  EXPECT_EQ(copies(host), 7);
}

TEST(CourseValues, TwoLaunchesGiveTheSumOfAll) {
  const RunResult result = run(setup_of("reduce_two_launches", {{"n", 5000}}));
  EXPECT_EQ(result.status, RunStatus::ok) << result.message;
  const auto& x = *result.request->buffers[0].initial;
  double sum = 0;
  for (size_t i = 0; i < 5000; ++i) {
    float value;
    std::memcpy(&value, x.data() + 4 * i, 4);
    sum += static_cast<double>(value);
  }
  EXPECT_NEAR(static_cast<double>(output<float>(result, "total")[0]), sum, 1e-2);
}

TEST(CourseValues, EqualisationUsesTheWholeRange) {
  Image image{16, 8, 1, std::vector<uint8_t>(128), "dark", {}};
  for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(40 + i / 16);
  KernelSetup setup = setup_of("histogram_equalisation");
  setup.image = std::make_shared<const Image>(image);
  auto out = output<uint8_t>(run(setup), "out");
  EXPECT_EQ(out.front(), 0);
  EXPECT_EQ(out.back(), 255);
  image.pixels.assign(128, 77);  // one gray stays as it is
  setup.image = std::make_shared<const Image>(image);
  EXPECT_EQ(output<uint8_t>(run(setup), "out"), std::vector<uint8_t>(128, 77));
}

}  // namespace THIS_FILE
}  // namespace warplens
