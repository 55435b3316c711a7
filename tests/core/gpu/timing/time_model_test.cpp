#include "core/gpu/timing/time_model.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/base/system/embedded.h"
#include "core/gpu/timing/scaled_calibration.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

Device rtx_3060() { return *find_device("3060"); }

// An add of n floats: three loads and stores of whole lines a warp, a few instructions.
KernelWork add_work(uint64_t n, uint32_t block = 256) {
  KernelWork work;
  const auto blocks = static_cast<uint32_t>(ceil_div(n, block));
  work.shape = {{blocks, 1, 1}, {block, 1, 1}};
  const uint64_t warps = blocks * ceil_div(block, warp_lanes);
  Counters& c = work.counters;
  c.warp_instructions = 15 * warps;
  c.thread_instructions = 15 * n;
  c.global_load_requests = 2 * warps;
  c.global_store_requests = warps;
  c.global_load_sectors = 8 * warps;
  c.global_store_sectors = 4 * warps;
  work.mix.of(IssueUnit::fp32) = warps;
  work.mix.of(IssueUnit::integer) = 8 * warps;
  work.buffer_bytes = 12 * n;
  work.occupancy = occupancy_of(rtx_3060(), {block, 16, 0, 0, blocks});
  return work;
}

double value_of(const KernelWork& work, const Device& device = rtx_3060()) {
  const KernelTime time = published_time(device, work, default_time_parameters());
  EXPECT_TRUE(time.us.has_value()) << time.unknown;
  return time.us ? time.us->value : 0;
}

TEST(TimeParameters, TheFileOfTheProgramIsRight) {
  const auto file = find_embedded("timing/model.json");
  const auto parameters = parse_time_parameters(file, "model.json");
  ASSERT_TRUE(parameters) << (parameters ? "" : parameters.error().message);
  for (const ParameterName& row : parameter_names()) {
    EXPECT_FALSE((parameters.value().*row.member).source.empty()) << row.name;
    EXPECT_GT((parameters.value().*row.member).band.high, 0) << row.name;
  }
  EXPECT_FALSE(parameters->rates.empty());
}

TEST(TimeParameters, ANumberWithoutSourceOrOrderIsRefused) {
  std::string text(find_embedded("timing/model.json"));
  const auto refused = [](const std::string& json, const char* part) {
    const auto parameters = parse_time_parameters(json, "model.json");
    ASSERT_FALSE(parameters);
    EXPECT_THAT(parameters.error().message, HasSubstr(part));
  };
  std::string swapped = text;
  swapped.replace(swapped.find("\"low\": 466"), 10, "\"low\": 999");
  refused(swapped, "memory_latency_cycles");
  std::string renamed = text;
  renamed.replace(renamed.find("launch_us"), 9, "launch_ms");
  refused(renamed, "launch_us");
  refused("[]", "no JSON object");
  refused("{\"parameters\": {}}", "results_per_clock_per_sm");
}

TEST(KernelTime, ALargeAddTakesItsBytesOverTheBandwidth) {
  const uint64_t n = 1 << 24;
  const KernelTime time = published_time(rtx_3060(), add_work(n), default_time_parameters());
  ASSERT_TRUE(time.us);
  const double peak = 12.0 * n / 360e3;
  EXPECT_GE(time.us->low, peak);
  EXPECT_NEAR(time.us->value, peak / 0.83, 0.1 * peak);
  EXPECT_LT(time.us->high, 2 * peak);
  ASSERT_NE(bound_of(time), nullptr);
  EXPECT_EQ(bound_of(time)->kind, TimePartKind::dram);
}

TEST(KernelTime, TheBandHoldsTheValue) {
  for (const uint64_t n : {1ull, 1000ull, 100'000ull, 10'000'000ull}) {
    const KernelTime time = published_time(rtx_3060(), add_work(n), default_time_parameters());
    ASSERT_TRUE(time.us);
    EXPECT_LE(time.us->low, time.us->value) << n;
    EXPECT_LE(time.us->value, time.us->high) << n;
    EXPECT_GT(time.us->low, 0) << n;
    for (const TimePart& part : time.parts) {
      EXPECT_LE(part.us.low, part.us.value) << to_string(part.kind);
      EXPECT_LE(part.us.value, part.us.high) << to_string(part.kind);
      EXPECT_LE(part.us.value, time.us->value * 1.0001) << to_string(part.kind);
    }
  }
}

TEST(KernelTime, MoreWorkNeverTakesLess) {
  double before = 0;
  for (uint64_t n = 64; n < (1 << 26); n *= 2) {
    const double now = value_of(add_work(n));
    EXPECT_GE(now, before) << n;
    before = now;
  }
  const KernelWork base = add_work(1 << 20);
  const auto slower = [&](const auto& change) {
    KernelWork work = base;
    change(work);
    return value_of(work) >= value_of(base);
  };
  EXPECT_TRUE(slower([](KernelWork& w) { w.counters.warp_instructions *= 10; }));
  EXPECT_TRUE(slower([](KernelWork& w) { w.counters.global_load_sectors *= 8; }));
  EXPECT_TRUE(slower([](KernelWork& w) { w.counters.shared_load_wavefronts = 10'000'000; }));
  EXPECT_TRUE(slower([](KernelWork& w) { w.mix.of(IssueUnit::fp64) = 1'000'000; }));
  EXPECT_TRUE(slower([](KernelWork& w) { w.occupancy->active_blocks_per_sm = 1; }));
}

TEST(KernelTime, AFasterDeviceNeverTakesLonger) {
  const KernelWork work = add_work(1 << 20);
  const Device base = rtx_3060();
  const auto faster = [&](const auto& change) {
    Device device = base;
    change(device);
    return value_of(work, device) <= value_of(work, base);
  };
  EXPECT_TRUE(faster([](Device& d) { d.boost_clock_mhz = 2 * *d.boost_clock_mhz; }));
  EXPECT_TRUE(faster([](Device& d) { d.memory_bandwidth_gb_s = 2 * *d.memory_bandwidth_gb_s; }));
  EXPECT_TRUE(faster([](Device& d) { d.sms *= 2; }));
}

TEST(KernelTime, FewWarpsWaitAndManyInstructionsIssue) {
  KernelWork one = add_work(32, 32);
  EXPECT_EQ(bound_of(published_time(rtx_3060(), one, default_time_parameters()))->kind,
            TimePartKind::latency);
  KernelWork busy = add_work(1 << 20);
  busy.counters.warp_instructions *= 1000;
  EXPECT_EQ(bound_of(published_time(rtx_3060(), busy, default_time_parameters()))->kind, TimePartKind::issue);
  KernelWork banks = add_work(1 << 20);
  banks.counters.shared_load_wavefronts = 100'000'000;
  EXPECT_EQ(bound_of(published_time(rtx_3060(), banks, default_time_parameters()))->kind,
            TimePartKind::shared);
}

// Grids of 131,072 and more blocks that each do almost nothing take the time of starting them. Compared with
// the rate measured on an H200, 1,668 blocks a microsecond (docs/device-sweeps).
TEST(KernelTime, ManySmallBlocksTakeAsLongAsStartingThem) {
  const Device h200 = *find_device("NVIDIA H200");
  KernelWork work = add_work(524'288 * 32, 32);
  work.occupancy = occupancy_of(h200, {32, 16, 0, 0, 524'288});
  const KernelTime time = published_time(h200, work, default_time_parameters());
  ASSERT_TRUE(time.us);
  EXPECT_EQ(bound_of(time)->kind, TimePartKind::start);
  EXPECT_NEAR(time.us->value, 524'288 / 1668.0, 0.05 * 524'288 / 1668.0);
  EXPECT_THAT(bound_of(time)->formula, HasSubstr("524,288 blocks"));
  // The same work in a few blocks does not wait for them.
  const KernelTime large = published_time(h200, add_work(524'288 * 32, 1024), default_time_parameters());
  EXPECT_LT(part_of(large, TimePartKind::start)->us.value, 15);
}

TEST(KernelTime, ASmallDeviceStartsBlocksNoFasterThanItsSmsTakeThem) {
  Device small = rtx_3060();
  const KernelWork work = add_work(1 << 20, 32);
  const auto start = [&](const Device& device) {
    return part_of(published_time(device, work, default_time_parameters()), TimePartKind::start)->us;
  };
  const Band usual = start(small);
  EXPECT_LT(usual.high, 10 * usual.value) << "the band says what is not known";
  small.sms = 2;
  EXPECT_GT(start(small).value, 5 * usual.value);
}

TEST(KernelTime, AnUnevenLastRoundCosts) {
  // 28 SMs, a block of 1,024 threads on each: 29 blocks give one SM a second round.
  KernelWork even = add_work(28 * 1024, 1024), uneven = add_work(29 * 1024, 1024);
  even.counters.warp_instructions *= 1000;
  uneven.counters.warp_instructions *= 1000;
  EXPECT_GT(value_of(uneven), 1.5 * value_of(even));
}

TEST(KernelTime, WhatIsNotKnownIsEmptyAndSaysWhy) {
  const KernelWork work = add_work(1000);
  const auto why = [&](const auto& change) {
    Device device = rtx_3060();
    KernelWork changed = work;
    change(device, changed);
    const KernelTime time = published_time(device, changed, default_time_parameters());
    EXPECT_FALSE(time.us.has_value());
    EXPECT_TRUE(time.parts.empty());
    return time.unknown;
  };
  EXPECT_THAT(why([](Device& d, KernelWork&) { d.boost_clock_mhz.reset(); }), HasSubstr("clock"));
  EXPECT_THAT(why([](Device& d, KernelWork&) { d.memory_bandwidth_gb_s.reset(); }), HasSubstr("bandwidth"));
  EXPECT_THAT(why([](Device&, KernelWork& w) { w.occupancy.reset(); }), HasSubstr("registers"));
  EXPECT_THAT(why([](Device&, KernelWork& w) { w.counters = {}; }), HasSubstr("counted"));
  Device unlinked = rtx_3060();
  unlinked.pcie_gb_s.reset();
  EXPECT_FALSE(copy_time(unlinked, 1000, default_time_parameters()).has_value());
}

TEST(CopyTime, IsBytesOverTheLink) {
  const Device device = rtx_3060();
  const auto time = copy_time(device, 1'000'000'000, default_time_parameters());
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->value, 1e9 / (31.5e3 * 0.72), 10);
  EXPECT_LT(time->low, time->value);
  EXPECT_LT(time->value, time->high);
}

// A run of an add with all its steps, as the virtual GPU leaves it.
RunResult add_run(uint64_t n) {
  auto request = std::make_shared<LaunchRequest>();
  request->device = rtx_3060();
  const auto bytes = [&](const char* name, bool output) {
    BufferSpec buffer;
    buffer.name = name;
    buffer.bytes = 4 * n;
    buffer.output = output;
    return buffer;
  };
  request->buffers = {bytes("x", false), bytes("y", false), bytes("out", true)};
  const KernelWork work = add_work(n);
  LaunchStep launch;
  launch.entry = "add";
  launch.grid = work.shape.grid;
  launch.block = work.shape.block;
  launch.arguments = {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, BufferArgument{2}};
  request->steps = {AllocateStep{0}, CopyInStep{0}, CopyInStep{1}, launch, CopyOutStep{2}, FreeStep{0}};
  RunResult result;
  result.request = request;
  LaunchRecord record;
  record.entry = "add";
  record.shape = work.shape;
  record.counters = work.counters;
  record.mix = work.mix;
  record.occupancy = work.occupancy;
  result.launches = {record};
  result.counters = work.counters;
  return result;
}

// Medians by CUPTI on an H200, driver 580.
TEST(InsideTime, IsThatOfAnH200) {
  const Device h200 = *find_device("H200");
  const auto us = [&](uint64_t moved) { return inside_time(h200, moved, default_time_parameters())->value; };
  constexpr uint64_t gib = uint64_t{1} << 30;
  EXPECT_NEAR(us(2 * 1024), 0.70, 0.1);
  EXPECT_NEAR(us(2 * gib), 503.4, 0.1 * 503.4) << "a copy of 1 GiB";
  EXPECT_NEAR(us(2 * (gib / 4)), 126.5, 0.1 * 126.5);
  EXPECT_NEAR(us(gib), 315.9, 0.25 * 315.9) << "a memset of 1 GiB: writes alone are slower than reads";
  Device unknown = h200;
  unknown.memory_bandwidth_gb_s.reset();
  EXPECT_FALSE(inside_time(unknown, 1000, default_time_parameters()).has_value());
}

TEST(RunTimes, EveryStepHasItsTimeOrAReason) {
  const RunTimes times = model_times(add_run(1 << 20), default_time_parameters());
  std::vector<StepKind> kinds;
  for (const StepTime& step : times.steps) {
    kinds.push_back(step.kind);
    EXPECT_FALSE(step.formula.empty());
  }
  EXPECT_THAT(kinds,
              testing::ElementsAre(StepKind::allocate, StepKind::copy_in, StepKind::copy_in, StepKind::launch,
                                   StepKind::kernel, StepKind::copy_out, StepKind::free));
  EXPECT_FALSE(times.steps[0].us.has_value());
  const TimesUs sums = times_of(times);
  ASSERT_TRUE(sums.copy_in && sums.kernel && sums.low && sums.high);
  EXPECT_NEAR(*sums.copy_in, times.steps[1].us->value + times.steps[2].us->value, 1e-9);
  EXPECT_LE(*sums.low, *sums.kernel);
  EXPECT_LE(*sums.kernel, *sums.high);
  EXPECT_EQ(sums.source, Provenance::modelled);
}

TEST(RunTimes, ATinyLaunchIsMostlyLaunching) {
  const TimesUs sums = times_of(model_times(add_run(32), default_time_parameters()));
  ASSERT_TRUE(sums.launch && sums.kernel);
  const double floor = calibration_for(rtx_3060(), default_time_parameters())->value("floor_us");
  EXPECT_GT(*sums.launch + floor, 3 * (*sums.kernel - floor)) << "launching, and an empty kernel";
}

TEST(RunTimes, APartialRunHasNone) {
  RunResult result = add_run(1000);
  result.status = RunStatus::fault;
  const RunTimes times = model_times(result, default_time_parameters());
  EXPECT_TRUE(times.steps.empty());
  EXPECT_THAT(times.unknown, HasSubstr("fault"));
  EXPECT_FALSE(times_of(times).kernel.has_value());
}

TEST(RunTimes, BuffersAreCountedOnce) { EXPECT_EQ(work_of(add_run(1000), 0).buffer_bytes, 12'000u); }

TEST(Residuals, AreNoughtWhereTheModelIsRightAndFollowAParameter) {
  const KernelWork work = add_work(1 << 24);
  const double modelled = value_of(work);
  const std::vector<Measurement> measurements = {
      {rtx_3060(), work, modelled}, {rtx_3060(), work, 2 * modelled}, {rtx_3060(), work, 0}};
  auto found = residuals(default_time_parameters(), measurements);
  ASSERT_EQ(found.size(), 2u) << "a measurement of nothing is left out";
  EXPECT_NEAR(found[0].log_ratio, 0, 1e-12);
  EXPECT_TRUE(found[0].in_band);
  EXPECT_NEAR(found[1].log_ratio, -std::log(2.0), 1e-12);
  TimeParameters slower = default_time_parameters();
  slower.memory_bandwidth_share.band = {0.35, 0.415, 0.5};
  EXPECT_NEAR(residuals(slower, measurements)[1].log_ratio, 0, 0.05);
}

}  // namespace THIS_FILE
}  // namespace warplens
