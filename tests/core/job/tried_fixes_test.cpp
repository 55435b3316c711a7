#include "core/job/tried_fixes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/tried_launches.h"
#include "core/job/warnings/warnings.h"
#include "tests/core/kernels/kernel_names.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

std::optional<Job> job_for(const KernelDescription& kernel, const KernelSetup& setup) {
  RunOptions options;
  options.caches = true;
  options.fixes = true;
  options.check = true;
  auto job = make_job(borrowed(kernel), setup, *find_device("3060"), options);
  if (!job) return std::nullopt;
  return *job;
}

RunResult run(const Job& job) {
  const auto backend = make_virtual_gpu();
  auto result = run_job(job, *backend, {}, nullptr);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : RunResult{};
}

RunResult run(const char* name, Dim3 block, const std::map<std::string, double>& values = {}) {
  const KernelDescription& kernel = **find_kernel(name);
  KernelSetup setup = default_setup(kernel);
  setup.block = block;
  for (const auto& [key, value] : values) setup.values[key] = value;
  const auto job = job_for(kernel, setup);
  EXPECT_TRUE(job);
  return job ? run(*job) : RunResult{};
}

const Warning* find(const RunResult& result, WarningId id) {
  const auto at = std::ranges::find(result.warnings, id, &Warning::id);
  return at == result.warnings.end() ? nullptr : &*at;
}

// The setup after the fix's button is pressed, as the window does it.
KernelSetup fixed(const KernelDescription& kernel, KernelSetup setup, const Warning& warning) {
  if (warning.fix_block) setup.block = *warning.fix_block;
  if (warning.fix_shared_bytes) setup.shared_dynamic_bytes = *warning.fix_shared_bytes;
  if (!warning.fix_grid) return setup;
  setup.fit_grid = true;
  const auto grid = fitted_grid(kernel, setup);
  if (grid && *grid == *warning.fix_grid) return setup;
  setup.fit_grid = false;
  setup.grid = *warning.fix_grid;
  return setup;
}

bool warns(const RunResult& result, WarningId id) {
  const Warning* warning = find(result, id);
  return warning != nullptr && !warning->quiet;
}

// Holds one fix to its promises.
void expect_better(const RunResult& before, const Warning& warning, const RunResult& after) {
  const std::string what = std::string(to_string(warning.id)) + ": " + warning.fix_label;
  EXPECT_EQ(after.status, RunStatus::ok) << what;
  EXPECT_FALSE(warns(after, warning.id)) << what;
  for (const Warning& other : after.warnings) {
    if (warning.id == WarningId::uncovered_elements || other.quiet) continue;
    EXPECT_TRUE(warns(before, other.id)) << what << " raises " << to_string(other.id);
  }
  if (!before.occupancy || warning.id == WarningId::uncovered_elements) return;
  EXPECT_GE(after.occupancy->theoretical_percent, before.occupancy->theoretical_percent) << what;
  ASSERT_TRUE(warning.fix_from_us && warning.fix_to_us) << what;
  EXPECT_GE(*warning.fix_from_us, least_gain * *warning.fix_to_us) << what;
  EXPECT_THAT(warning.fix_label,
              testing::AllOf(testing::StartsWith("Try "), HasSubstr(" → "), HasSubstr("≈")));
  const bool cached = after.counters->l1_hit_sectors && before.counters->l1_hit_sectors;
  EXPECT_NEAR(*modelled_kernel_us(after, cached), *warning.fix_to_us, 0.02 * *warning.fix_to_us) << what;
  EXPECT_NEAR(*modelled_kernel_us(before, cached), *warning.fix_from_us, 0.02 * *warning.fix_from_us) << what;
}

class EveryFix : public testing::TestWithParam<std::string> {};

TEST_P(EveryFix, IsBetterByTheModelAndRaisesNothingNew) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  if (kernel.intentionally_broken) return;
  const bool deep = kernel.default_block.z > 1, flat = kernel.default_block.y == 1 && !deep;
  std::vector<Dim3> blocks = flat ? std::vector<Dim3>{{7, 1, 1}, {64, 1, 1}, {100, 1, 1}}
                                  : std::vector<Dim3>{{7, 7, 1}, {1, 256, 1}, {8, 8, 1}};
  blocks.push_back(kernel.default_block);
  for (const Dim3& block : blocks) {
    KernelSetup setup = default_setup(kernel);
    setup.block = block;
    const auto job = job_for(kernel, setup);
    if (!job) continue;  // the kernel does not accept the block
    const RunResult before = run(*job);
    for (const Warning& warning : before.warnings) {
      EXPECT_EQ(warning.fix_label.empty(),
                !warning.fix_block && !warning.fix_grid && !warning.fix_shared_bytes);
      if (warning.fix_label.empty()) continue;
      SCOPED_TRACE(kernel.name + " with blocks of " + std::to_string(block.x) + " × " +
                   std::to_string(block.y));
      const auto again = job_for(kernel, fixed(kernel, setup, warning));
      ASSERT_TRUE(again);
      expect_better(before, warning, run(*again));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryFix, testing::ValuesIn(test_files::built_in_kernel_names()),
                         [](const auto& kernel) { return kernel.param; });

#define SKIP_WITHOUT_LINKER(result) \
  if (!(result).occupancy) GTEST_SKIP() << "no linker, so no times"

TEST(TriedFixes, SmallBlocksOfAMatrixProductGetAFasterOne) {
  const RunResult result = run("matmul_naive", {8, 8, 1});
  SKIP_WITHOUT_LINKER(result);
  const Warning* scattered = find(result, WarningId::uncoalesced);
  ASSERT_TRUE(scattered && scattered->fix_block);
  EXPECT_GT(scattered->fix_block->count(), 64u) << scattered->fix_label;
  // 4 × 8 is nearest and has no tail, but is slower.
  const Warning* tail = find(result, WarningId::tail_wave);
  ASSERT_TRUE(tail);
  EXPECT_EQ(tail->fix_label, "");
}

TEST(TriedFixes, SevenBySevenGetsTheFastestAndNotTheNearest) {
  const RunResult result = run("grayscale", {7, 7, 1});
  SKIP_WITHOUT_LINKER(result);
  const Warning* warning = find(result, WarningId::block_not_multiple_of_warp);
  ASSERT_TRUE(warning && warning->fix_block);
  EXPECT_FALSE(*warning->fix_block == (Dim3{8, 8, 1}));
  EXPECT_GE(warning->fix_block->count(), 128u);
  EXPECT_EQ(warning->fix_label, result.warnings.front().fix_label) << "what a click mends stands first";
}

TEST(TriedFixes, NothingIsOfferedThatCostsOccupancyOrTime) {
  for (const auto& [name, block] :
       {std::pair("vector_add", Dim3{100, 1, 1}), {"reduce_shared", Dim3{256, 1, 1}}}) {
    const RunResult result = run(name, block);
    SKIP_WITHOUT_LINKER(result);
    for (const Warning& warning : result.warnings) EXPECT_EQ(warning.fix_label, "") << name;
  }
}

TEST(TriedFixes, TheRuleOfThumbSaysWhatTheModelSees) {
  const RunResult result = run("loop_test", {256, 1, 1}, {{"n", 10'000}, {"loops", 50}});
  SKIP_WITHOUT_LINKER(result);
  const Warning* small = find(result, WarningId::low_occupancy_grid);
  ASSERT_TRUE(small);
  EXPECT_THAT(small->message,
              testing::AllOf(HasSubstr("rule of thumb"), HasSubstr("40 blocks"),
                             HasSubstr("With 64 threads a block (157 blocks), the model sees")));
  EXPECT_FALSE(
      find(run("loop_test", {64, 1, 1}, {{"n", 10'000}, {"loops", 50}}), WarningId::low_occupancy_grid));
}

TEST(TriedFixes, ARefusedLaunchGetsOneThatRuns) {
  const RunResult result = run("grayscale", {32, 33, 1});
  ASSERT_EQ(result.status, RunStatus::refused);
  const Warning* instead = find(result, WarningId::launch_refused);
  ASSERT_TRUE(instead && instead->fix_block);
  // Which of the two is faster depends on the picture.
  const Dim3 block = *instead->fix_block;
  EXPECT_TRUE(block == (Dim3{16, 16, 1}) || block == (Dim3{32, 8, 1})) << block.x << " × " << block.y;
  EXPECT_EQ(run("grayscale", *instead->fix_block).status, RunStatus::ok);
}

TEST(TriedFixes, ElementsLeftOutGetTheGridThatCoversThem) {
  const KernelDescription& kernel = **find_kernel("vector_add");
  KernelSetup setup = default_setup(kernel);
  setup.fit_grid = false;
  setup.grid = {3, 1, 1};
  const RunResult result = run(*job_for(kernel, setup));
  ASSERT_EQ(result.warnings.front().id, WarningId::uncovered_elements);
  EXPECT_EQ(result.warnings.front().fix_grid, (Dim3{40, 1, 1}));
  EXPECT_FALSE(result.warnings.front().fix_block);
}

// A launch file says nothing of its kernel, so another shape must give the same bytes.
TEST(TriedFixes, ALaunchFileOnlyGetsWhatGivesTheSameBytes) {
  Job job = *job_for(**find_kernel("vector_add"), default_setup(**find_kernel("vector_add")));
  job.kernel = nullptr;
  job.setup = nullptr;
  job.problem.reset();
  const RunResult result = run(job);
  const auto backend = make_virtual_gpu();
  const auto tried = try_launches(job, result, *backend, {});
  ASSERT_TRUE(tried);
  EXPECT_FALSE(tried->empty());
  for (const TriedLaunch& launch : *tried)
    EXPECT_GE(launch.shape.grid.count() * launch.shape.block.count(), 10'000u);
}

TEST(TriedFixes, ALargeRunSaysThatNothingWasTried) {
  Job job = *job_for(**find_kernel("vector_add"), default_setup(**find_kernel("vector_add")));
  job.fixes = false;
  RunResult result = run(job);
  Warning tail;
  tail.id = WarningId::tail_wave;
  result.warnings = {tail};
  result.counters->warp_instructions = affordable_tried_instructions + 1;
  const auto backend = make_virtual_gpu();
  const auto whole = with_fixes(job, result, *backend, {});
  ASSERT_TRUE(whole);
  EXPECT_THAT(whole->warnings[0].message, HasSubstr("No other launch was tried"));
  EXPECT_EQ(whole->warnings[0].fix_label, "");
}

TEST(TriedFixes, AStoppedSearchIsAnError) {
  const KernelDescription& kernel = **find_kernel("grayscale");
  KernelSetup setup = default_setup(kernel);
  setup.block = {7, 7, 1};
  Job job = *job_for(kernel, setup);
  job.fixes = false;
  const RunResult result = run(job);
  std::stop_source stop;
  stop.request_stop();
  const auto backend = make_virtual_gpu();
  const auto stopped = with_fixes(job, result, *backend, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
}

}  // namespace THIS_FILE
}  // namespace warplens
