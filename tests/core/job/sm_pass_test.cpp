#include "core/job/sm_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/launch_job.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

RunResult run(const char* name, const std::map<std::string, double>& values, std::optional<Dim3> block,
              const char* device = "H200") {
  const auto kernel = find_kernel(name);
  EXPECT_TRUE(kernel) << name;
  KernelSetup setup = default_setup(**kernel);
  for (const auto& [key, value] : values) setup.values[key] = value;
  if (block) setup.block = *block;
  RunOptions options;
  options.check = false;
  const auto job = make_job(borrowed(**kernel), setup, *find_device(device), options);
  EXPECT_TRUE(job) << (job ? "" : job.error().message);
  const auto backend = make_virtual_gpu();
  auto result = run_job(*job, *backend, {}, nullptr);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : RunResult{};
}

std::shared_ptr<const SmModel> model(const RunResult& result, uint64_t instructions = 20'000,
                                     bool spans = true) {
  const auto made = model_sm(result, instructions, spans, {});
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made ? *made : nullptr;
}

class EveryModel : public testing::TestWithParam<const char*> {};

// What a warp does from its start to its end, without gaps, and the same sums.
TEST_P(EveryModel, AccountsForEachCycleOfEachWarp) {
  const auto made = model(run(GetParam(), {}, std::nullopt));
  ASSERT_NE(made, nullptr);
  const sm::Run& run = made->run;
  ASSERT_FALSE(run.warps.empty());
  std::map<uint32_t, std::vector<sm::Span>> by_warp;
  for (const sm::Span& span : run.spans) by_warp[span.warp].push_back(span);
  ByState<uint64_t> sums;
  std::map<std::pair<uint32_t, uint64_t>, int> issues;
  for (auto& [warp, spans] : by_warp) {
    const sm::WarpLife& life = run.warps[warp];
    std::ranges::sort(spans, {}, &sm::Span::begin);
    uint64_t at = spans.front().begin;
    EXPECT_LE(at, life.begin + 1);
    for (const sm::Span& span : spans) {
      EXPECT_EQ(span.begin, at) << GetParam() << ", warp " << warp;
      EXPECT_LT(span.begin, span.end);
      at = span.end;
      sums[span.state] += span.end - span.begin;
      if (span.state == WarpState::selected)
        for (uint64_t cycle = span.begin; cycle < span.end; ++cycle) ++issues[{life.scheduler, cycle}];
    }
    EXPECT_EQ(at, life.end) << GetParam() << ", warp " << warp;
  }
  EXPECT_EQ(sums.of, run.warp_cycles.of);
  EXPECT_EQ(sums[WarpState::selected], run.instructions);
  EXPECT_EQ(issues.size(), run.instructions) << "a scheduler issues once a cycle";
  EXPECT_LE(run.issue_slots(), 1);
  EXPECT_GE(run.eligible_warps(), run.issue_slots());
  EXPECT_LE(run.active_warps(), 16);
  EXPECT_EQ(run.blocks, made->settings.blocks);
}
INSTANTIATE_TEST_SUITE_P(Kernels, EveryModel,
                         testing::Values("vector_add", "matmul_tiled", "transpose_naive", "reduce_shared",
                                         "reduce_shuffle", "histogram_shared", "mandelbrot", "register_spill",
                                         "resize_texture", "lucas_recursive", "pi_atomic_warp",
                                         "prefix_sum"));

TEST(SmPass, MoreWarpsHideTheWait) {
  const RunResult result = run("vector_add", {{"n", 1'000'000}}, Dim3{256, 1, 1});
  const auto made = model(result);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(largest_stall(*made->states), WarpState::long_scoreboard);
  double before = 0;
  for (const uint32_t blocks : {1u, 2u, 4u, 8u}) {
    sm::Settings settings = made->settings;
    settings.resident_blocks = blocks;
    const sm::Run run = simulate(*made->work, settings);
    EXPECT_GT(run.issue_slots(), before) << blocks;
    before = run.issue_slots();
  }
}

TEST(SmPass, WarpsOfABlockMeetAtABarrier) {
  const auto made = model(run("reduce_shared", {{"n", 1'000'000}}, Dim3{256, 1, 1}));
  ASSERT_NE(made, nullptr);
  EXPECT_GT(made->run.warp_cycles[WarpState::barrier], 0u);
  // No warp of a block issues an instruction after the barrier before all have come to it, so all end late.
  EXPECT_EQ(model(run("vector_add", {}, std::nullopt))->run.warp_cycles[WarpState::barrier], 0u);
}

TEST(SmPass, TheSameRunGivesTheSameModel) {
  const RunResult result = run("matmul_tiled", {}, std::nullopt);
  const auto a = model(result), b = model(result);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->run.cycles, b->run.cycles);
  EXPECT_EQ(a->run.warp_cycles.of, b->run.warp_cycles.of);
  EXPECT_EQ(a->run.spans.size(), b->run.spans.size());
}

// A line's states are those of the instructions that were made from it.
TEST(SmPass, LinesHaveTheirShare) {
  const auto made = model(run("vector_add", {}, std::nullopt));
  ASSERT_NE(made, nullptr);
  uint64_t all = 0, memory = 0;
  for (const SmStates::Line& line : made->states->lines)
    for (size_t s = 0; s < warp_states; ++s) {
      all += line.cycles.of[s];
      if (static_cast<WarpState>(s) == WarpState::long_scoreboard) memory += line.cycles.of[s];
    }
  EXPECT_GT(all, 0u);
  EXPECT_EQ(memory, made->run.warp_cycles[WarpState::long_scoreboard]);
}

TEST(SmPass, TheLineOfTheLoadsWaitsForMemory) {
  const auto made = model(run("vector_add", {{"n", 1'000'000}}, Dim3{256, 1, 1}));
  ASSERT_NE(made, nullptr);
  double all = 0, most = 0;
  WarpState of_most = WarpState::selected;
  for (const SmStates::Line& line : made->states->lines) {
    const auto states = states_at(*made->states, line.file, line.line);
    if (!states) continue;
    all += states->share;
    if (states->share <= most) continue;
    most = states->share;
    of_most = states->longest;
  }
  EXPECT_NEAR(all, 1, 1e-9);
  EXPECT_EQ(of_most, WarpState::long_scoreboard);
  EXPECT_FALSE(states_at(*made->states, "elsewhere.cu", 1));
}

TEST(SmPass, OddLaunchesAreModelled) {
  for (const Dim3 block : {Dim3{1, 1, 1}, Dim3{33, 1, 1}, Dim3{1024, 1, 1}}) {
    const auto made = model(run("vector_add", {{"n", 1000}}, block));
    ASSERT_NE(made, nullptr);
    EXPECT_GT(made->states->issue_slots, 0) << block.x;
    EXPECT_GE(made->blocks_of_sm, 1u);
  }
}

TEST(SmPass, DevicesThatWereNotMeasuredAreMarked) {
  EXPECT_TRUE(model(run("vector_add", {}, std::nullopt))->states->checked);
  EXPECT_FALSE(model(run("vector_add", {}, std::nullopt, "3060"))->states->checked);
}

TEST(SmPass, SaysWhyThereIsNone) {
  RunResult result = run("vector_add", {}, std::nullopt);
  EXPECT_EQ(why_no_sm(result, 0), "");
  EXPECT_THAT(why_no_sm(result, 1), HasSubstr("no such launch"));
  RunResult unknown = result;
  unknown.launches.front().occupancy.reset();
  EXPECT_THAT(why_no_sm(unknown, 0), HasSubstr("resident warps"));
  RunResult faulty = result;
  faulty.status = RunStatus::fault;
  EXPECT_THAT(why_no_sm(faulty, 0), HasSubstr("to its end"));
  const auto same = with_sm(faulty, {});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->sm, nullptr);
  RunResult older = result;
  auto request = std::make_shared<LaunchRequest>(*result.request);
  request->device = *find_device("gtx_1080");
  older.request = request;
  EXPECT_THAT(why_no_sm(older, 0), HasSubstr("published"));
}

TEST(SmPass, CanBeStopped) {
  const RunResult result = run("matmul_tiled", {}, std::nullopt);
  std::stop_source stop;
  stop.request_stop();
  const auto made = with_sm(result, stop.get_token());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::cancelled);
}

// The kernel of a launch file has no description, but the same passes.
TEST(SmPass, ARunOfALaunchFileIsModelledWhereItIsAskedFor) {
  const auto kernel = find_kernel("vector_add");
  ASSERT_TRUE(kernel);
  const Device device = *find_device("H200");
  for (const bool asked : {true, false}) {
    LaunchFile file;
    file.request = *make_request(**kernel, default_setup(**kernel), device);
    RunOptions options;
    options.sm = asked;
    const auto job = make_job(std::move(file), "launch.json", device, options, {});
    ASSERT_TRUE(job) << job.error().message;
    const auto backend = make_virtual_gpu();
    const auto result = run_job(*job, *backend, {}, nullptr);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->sm != nullptr, asked);
    EXPECT_EQ(result->counters->l2_read_sectors.has_value(), asked) << "the model of the caches comes first";
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
