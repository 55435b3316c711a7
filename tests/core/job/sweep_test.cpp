#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/report/sweep_text.h"
#include "core/job/sweep.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

SweepRequest request_for(const char* name) {
  const auto kernel = find_kernel(name);
  EXPECT_TRUE(kernel) << name;
  SweepRequest request;
  request.kernel = borrowed(**kernel);
  request.setup = default_setup(**kernel);
  request.device = *find_device("3060");
  return request;
}

Sweep swept(const SweepRequest& request) {
  const auto backend = make_virtual_gpu();
  auto sweep = run_sweep(request, *backend, {}, nullptr);
  EXPECT_TRUE(sweep) << (sweep ? "" : sweep.error().message);
  return sweep ? *sweep : Sweep{};
}

TEST(Sweep, ARefusedShapeIsAPointWithCudasError) {
  SweepRequest request = request_for("vector_add");
  request.blocks = {{32, 1, 1}, {2048, 1, 1}, {256, 1, 1}};
  const Sweep sweep = swept(request);
  ASSERT_EQ(sweep.points.size(), 3u);
  EXPECT_TRUE(sweep.complete());
  EXPECT_EQ(sweep.points[0].status, RunStatus::ok);
  EXPECT_EQ(sweep.points[1].status, RunStatus::refused);
  EXPECT_EQ(sweep.points[1].cuda_error, "cudaErrorInvalidConfiguration");
  EXPECT_EQ(sweep.points[2].sectors, 3750u);
  EXPECT_EQ(sweep.points[2].sectors_ideal, 3750u);
  if (!sweep.points[0].occupancy) GTEST_SKIP() << "no linker, so no times";
  EXPECT_FALSE(sweep.points[1].kernel.us.has_value());
  ASSERT_TRUE(sweep.best && sweep.worst);
  EXPECT_NE(*sweep.best, 1u);
  EXPECT_THAT(sweep.sentence, HasSubstr("."));
}

TEST(Sweep, ABlockThatTheKernelDoesNotTakeIsAPointToo) {
  SweepRequest request = request_for("matmul_tiled");
  request.setup.values = {{"m", 16}, {"n", 16}, {"k", 16}};
  request.blocks = {{8, 8, 1}, {16, 16, 1}};
  const Sweep sweep = swept(request);
  EXPECT_EQ(sweep.points[0].status, RunStatus::refused);
  EXPECT_THAT(sweep.points[0].message, HasSubstr("16"));
  EXPECT_EQ(sweep.points[1].status, RunStatus::ok);
}

TEST(Sweep, GoesOnWhereItWasInterrupted) {
  SweepRequest request = request_for("vector_add");
  request.blocks = {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}};
  const auto backend = make_virtual_gpu();
  std::stop_source stop;
  const auto first = run_sweep(request, *backend, stop.get_token(), nullptr, [&](const Sweep& sweep) {
    if (sweep.points.size() == 1) stop.request_stop();
  });
  ASSERT_TRUE(first);
  EXPECT_EQ(first->points.size(), 1u);
  EXPECT_FALSE(first->complete());
  size_t told = 0;
  const auto rest = run_sweep(
      request, *backend, {}, nullptr, [&](const Sweep&) { ++told; }, *first);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->points.size(), 3u);
  EXPECT_EQ(told, 2u);
}

TEST(Sweep, AllPointsHaveTheModelOfTheCachesBehindThemOrNone) {
  SweepRequest request = request_for("vector_add");
  request.kind = SweepKind::sizes;
  request.options.caches = true;
  request.sizes = {4096, 65536};
  const Sweep small = swept(request);
  ASSERT_EQ(small.points.size(), 2u);
  if (!small.points[0].kernel.us) GTEST_SKIP() << "no linker, so no times";
  EXPECT_TRUE(small.cached);
  EXPECT_EQ(small.points[1].kernel.us, small.points[1].cached->kernel.us);
  EXPECT_NE(sweep_text(small).find("model of the caches"), std::string::npos);
  // The large one touches more sectors than the model runs over without being asked, so the small one also
  // runs without it.
  request = request_for("transpose_naive");
  request.kind = SweepKind::sizes;
  request.options.caches = true;
  request.options.check = false;
  request.sizes = {64, 2560};
  const Sweep mixed = swept(request);
  EXPECT_FALSE(mixed.cached);
  EXPECT_TRUE(mixed.points[0].cached.has_value());
  EXPECT_EQ(mixed.points[0].kernel.us, mixed.points[0].plain.kernel.us);
}

TEST(Sweep, SizesSetWhatTheProblemIsMadeOf) {
  const auto matmul = find_kernel("matmul_tiled"), gray = find_kernel("grayscale"),
             add = find_kernel("vector_add");
  EXPECT_THAT(size_names(**matmul), ElementsAre("m", "n", "k"));
  EXPECT_THAT(size_names(**add), ElementsAre("n"));
  EXPECT_THAT(size_names(**gray), ElementsAre("picture width"));
  const auto sized = sized_setup(**matmul, default_setup(**matmul), 48);
  ASSERT_TRUE(sized);
  EXPECT_EQ(sized->values.at("k"), 48);
  EXPECT_FALSE(sized_setup(**matmul, default_setup(**matmul), 1'000'000));
  KernelSetup setup = default_setup(**gray);
  setup.image = std::make_shared<const Image>(rendered_sample(40, 20));
  const auto scaled = sized_setup(**gray, setup, 10);
  ASSERT_TRUE(scaled);
  EXPECT_EQ(scaled->image->width, 10u);
  EXPECT_EQ(scaled->image->height, 5u);
  EXPECT_EQ(scaled->image->pixels[3], setup.image->pixels[4 * 3]) << "every fourth pixel";
}

TEST(Sweep, UsualShapesFitTheDeviceAndTheKernel) {
  const auto add = find_kernel("vector_add"), gray = find_kernel("grayscale"),
             matmul = find_kernel("matmul_tiled");
  const Device teaching = *find_device("teaching");
  for (const Dim3& block : usual_blocks(**add, teaching)) EXPECT_LE(block.count(), 256u);
  EXPECT_THAT(usual_blocks(**matmul, teaching), ElementsAre(Dim3{16, 16, 1}));
  EXPECT_THAT(usual_blocks(**gray, *find_device("3060")), testing::Contains(Dim3{1, 256, 1}));
  for (const char* name : {"vector_add", "grayscale", "matmul_tiled", "mandelbrot"})
    EXPECT_GE(usual_sizes(**find_kernel(name)).size(), 4u) << name;
}

SweepPoint point(double elements, double gpu_us, double cpu_ms) {
  SweepPoint p;
  p.elements = elements;
  p.total_us = Band{gpu_us / 2, gpu_us, 2 * gpu_us};
  p.cpu_ms = cpu_ms;
  return p;
}

Sweep sizes(std::vector<SweepPoint> points) {
  Sweep sweep;
  sweep.kind = SweepKind::sizes;
  sweep.wanted = points.size();
  sweep.points = std::move(points);
  conclude(sweep);
  return sweep;
}

TEST(Crossover, LiesWhereTheLinesMeet) {
  using Where = Crossover::Where;
  const Sweep sweep = sizes({point(1e3, 100, 0.01), point(1e5, 100, 1)});
  EXPECT_EQ(sweep.crossover.where, Where::between);
  EXPECT_NEAR(sweep.crossover.elements, 1e4, 1);
  ASSERT_TRUE(sweep.crossover.low && sweep.crossover.high);
  EXPECT_LT(*sweep.crossover.low, 1e4);
  EXPECT_GT(*sweep.crossover.high, 1e4);
  EXPECT_THAT(sweep.sentence, HasSubstr("10,000"));
  EXPECT_EQ(sizes({point(1e3, 100, 0.01), point(1e5, 1e4, 1)}).crossover.where, Where::never);
  EXPECT_EQ(sizes({point(1e3, 5, 0.01), point(1e5, 10, 1)}).crossover.where, Where::from_the_start);
  EXPECT_EQ(sizes({}).crossover.where, Where::unknown);
}

// A sentence names the reason that the points hold, not a rule of thumb.
SweepPoint shaped(Dim3 block, double us, TimePartKind part, uint64_t sectors, uint64_t instructions) {
  SweepPoint p;
  p.block = p.shape.block = block;
  p.shape.grid = {static_cast<uint32_t>(ceil_div(262'144, block.count())), 1, 1};
  p.sectors = sectors;
  p.counters.emplace();
  p.counters->warp_instructions = instructions;
  p.occupancy = occupancy_of(*find_device("3060"), {static_cast<uint32_t>(block.count()), 24, 0, 0, 1000});
  p.kernel.us = Band{us, us, us};
  p.kernel.parts = {{part, {us, us, us}, ""}};
  p.kernel.blocks_on_busiest_sm = ceil_div(p.shape.grid.count(), 28);
  p.kernel.rounds = 1;
  return p;
}

std::string sentence_of(const SweepPoint& best, const SweepPoint& worst) {
  Sweep sweep;
  sweep.sms = 28;
  sweep.max_warps_per_sm = 48;
  sweep.points = {best, worst};
  conclude(sweep);
  return sweep.sentence;
}

TEST(SweepSentence, NamesTheReasonThatThePointsHold) {
  const SweepPoint best = shaped({256, 1, 1}, 10, TimePartKind::dram, 1000, 5000);
  EXPECT_THAT(sentence_of(best, shaped({1, 256, 1}, 40, TimePartKind::l2, 8000, 5000)),
              testing::AllOf(HasSubstr("4 times as long"), HasSubstr("8,000 sectors instead of 1,000")));
  EXPECT_THAT(sentence_of(best, shaped({33, 1, 1}, 30, TimePartKind::issue, 1000, 10'000)),
              HasSubstr("31 of the 64 lanes"));
  EXPECT_THAT(sentence_of(best, shaped({32, 1, 1}, 30, TimePartKind::latency, 1000, 5000)),
              testing::AllOf(HasSubstr("16 of 48 warps"), HasSubstr("blocks limit it")));
  EXPECT_THAT(sentence_of(best, shaped({128, 1, 1}, 10.1, TimePartKind::dram, 1000, 5000)),
              HasSubstr("Best: blocks of 256 threads"))
      << "its band is a point, so nothing ties";
  EXPECT_THAT(sentence_of(best, shaped({8, 1, 1}, 30, TimePartKind::start, 1000, 5000)),
              HasSubstr("its 32,768 blocks start at 1,090 a microsecond"));
  SweepPoint few = shaped({1024, 1, 1}, 30, TimePartKind::latency, 1000, 5000);
  few.shape.grid = {10, 1, 1};
  EXPECT_THAT(sentence_of(best, few), HasSubstr("18 of 28 SMs"));
}

// 465 ns is no better than 500 ns by the model, so it must not be called the best; 900 ns are worse.
TEST(SweepSentence, WhatTheModelCannotTellApartIsATie) {
  SweepPoint best = shaped({768, 1, 1}, 0.465, TimePartKind::dram, 1000, 5000);
  best.kernel.us = Band{0.33, 0.465, 0.9};
  const SweepPoint near = shaped({64, 1, 1}, 0.5, TimePartKind::dram, 1000, 5000),
                   edge = shaped({128, 1, 1}, 0.9, TimePartKind::dram, 1000, 5000),
                   far = shaped({1, 256, 1}, 4, TimePartKind::dram, 9000, 5000);
  EXPECT_THAT(sentence_of(best, near),
              testing::AllOf(HasSubstr("hardly matters"), HasSubstr("465 ns to 500 ns"),
                             HasSubstr("cannot tell apart"), testing::Not(HasSubstr("Best"))));
  Sweep sweep;
  sweep.sms = 28;
  sweep.max_warps_per_sm = 48;
  sweep.points = {near, far, best, edge};
  sweep.wanted = 4;
  conclude(sweep);
  EXPECT_EQ(sweep.best, 2u);
  EXPECT_EQ(count_ties(sweep), 2u);
  EXPECT_FALSE(ties_with_best(sweep, edge)) << "a warning would recommend the best one";
  EXPECT_FALSE(ties_with_best(sweep, far));
  EXPECT_THAT(sweep.sentence,
              testing::AllOf(HasSubstr("A tie: blocks of 64 threads and blocks of 768 threads "
                                       "take 465 ns to 500 ns"),
                             HasSubstr("8.6 times as long")));
  const std::string text = sweep_text(sweep);
  EXPECT_EQ(text.find("best\n"), std::string::npos);
  EXPECT_NE(text.find("tie\n"), std::string::npos);
  const auto json = nlohmann::json::parse(sweep_json({sweep}));
  EXPECT_EQ(json["sweeps"][0]["points"][0]["ties_with_best"], true);
  EXPECT_EQ(json["sweeps"][0]["points"][1]["ties_with_best"], false);
}

TEST(SweepSentence, SaysWhyNothingRan) {
  SweepRequest request = request_for("vector_add_unchecked");
  request.blocks = {{96, 1, 1}, {256, 1, 1}};
  const Sweep sweep = swept(request);
  EXPECT_FALSE(sweep.best);
  EXPECT_THAT(sweep.sentence,
              testing::AllOf(HasSubstr("None of the 2 shapes ran to a right result"),
                             HasSubstr("blocks of 96 threads"), HasSubstr("past the end of x")));
}

TEST(Sweep, TakesPointsOfAnotherRequestByTheirBlock) {
  SweepRequest request = request_for("vector_add");
  request.blocks = {{32, 1, 1}, {256, 1, 1}};
  const auto backend = make_virtual_gpu();
  const auto first = run_sweep(request, *backend, {}, nullptr);
  ASSERT_TRUE(first);
  request.blocks = with_todays({{256, 1, 1}, {512, 1, 1}}, {300, 1, 1});
  EXPECT_THAT(request.blocks, ElementsAre(Dim3{256, 1, 1}, Dim3{300, 1, 1}, Dim3{512, 1, 1}));
  size_t told = 0;
  bool told_all = false;
  const auto count = [&](const Sweep& sweep) {
    ++told;
    told_all = sweep.complete();
  };
  const auto second = run_sweep(request, *backend, {}, nullptr, count, *first);
  ASSERT_TRUE(second);
  EXPECT_EQ(told, 2u) << "256 was known";
  EXPECT_TRUE(told_all);
  EXPECT_EQ(second->points[0].execute_ms, first->points[1].execute_ms);
  ASSERT_EQ(second->points.size(), 3u);
  told = 0;
  request.blocks = {{96, 1, 1}, {256, 1, 1}};
  const auto mixed = run_sweep(request, *backend, {}, nullptr, count, *second);
  ASSERT_TRUE(mixed);
  EXPECT_TRUE(told_all) << "the last point was known";
  told = 0;
  request.blocks = {{512, 1, 1}, {256, 1, 1}};
  told_all = false;
  const auto third = run_sweep(request, *backend, {}, nullptr, count, *second);
  ASSERT_TRUE(third);
  EXPECT_EQ(told, 1u) << "told once, though nothing had to run";
  EXPECT_TRUE(told_all);
  EXPECT_FALSE(third->sentence.empty());
}

TEST(SweepText, HasARowForEachPointEverywhere) {
  SweepRequest request = request_for("vector_add");
  request.blocks = {{64, 1, 1}, {2048, 1, 1}};
  const Sweep sweep = swept(request);
  const std::string text = sweep_text(sweep), csv = sweep_csv({sweep});
  EXPECT_THAT(text, HasSubstr("refused: cudaErrorInvalidConfiguration"));
  EXPECT_THAT(text, HasSubstr("modelled"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  const auto json = nlohmann::json::parse(sweep_json({sweep}));
  ASSERT_EQ(json["sweeps"][0]["points"].size(), 2u);
  EXPECT_TRUE(json["sweeps"][0]["points"][1]["kernel_us"].is_null()) << "not known is null, never 0";
  EXPECT_EQ(json["sweeps"][0]["points"][1]["status"], "refused");
}

TEST(Sweep, NothingToVaryIsAnError) {
  SweepRequest request = request_for("vector_add");
  const auto backend = make_virtual_gpu();
  EXPECT_FALSE(run_sweep(request, *backend, {}, nullptr));
  request.kind = SweepKind::sizes;
  EXPECT_FALSE(run_sweep(request, *backend, {}, nullptr));
}

}  // namespace THIS_FILE
}  // namespace warplens
