#include "core/gpu/timing/calibration.h"

#include <gtest/gtest.h>

#include "core/base/system/embedded.h"
#include "core/gpu/timing/time_model.h"

namespace warplens {
namespace THIS_FILE {

std::string h200_file() { return std::string(find_embedded("timing/devices/nvidia_h200.json")); }

TEST(CalibrationFile, ThoseOfTheProgramAreRightAndOfKnownDevices) {
  size_t files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("timing/devices/")) continue;
    ++files;
    const auto read = parse_calibration(file.bytes, file.path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(find_device(read->device)) << read->device;
    EXPECT_FALSE(read->measured.empty());
  }
  EXPECT_GE(files, 1u);
}

TEST(CalibrationFile, WhatIsWrittenIsReadBack) {
  const auto read = parse_calibration(h200_file(), "h200");
  ASSERT_TRUE(read);
  const auto again = parse_calibration(calibration_json(*read), "again");
  ASSERT_TRUE(again) << again.error().message;
  for (const CalibratedFigure& figure : calibrated_figures())
    EXPECT_NEAR(again->value(figure.name), read->value(figure.name), 1e-3 * read->value(figure.name));
}

TEST(CalibrationFile, AFigureThatIsMissingOrOutOfOrderIsRefusedByName) {
  const std::string text = h200_file();
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    const auto read = parse_calibration(changed.replace(at, from.size(), to), "file");
    ASSERT_FALSE(read) << to;
    EXPECT_NE(read.error().message.find("file: "), std::string::npos);
  };
  refused("\"floor_us\"", "\"flour_us\"");
  refused("\"low\"", "\"lowest\"");
  refused("\"low\": 1980.0", "\"low\": 99999");
  refused("\"low\": 1980.0", "\"low\": -1");
  refused("\"band\": 1.35", "\"band\": 0.5");
  refused("\"figures\"", "\"figure\"");
  refused("{", "[");
  for (size_t size = 0; size + 3 < text.size(); size += 97)
    EXPECT_FALSE(parse_calibration(text.substr(0, size), "cut")) << size;
}

TEST(CalibrationFile, AtomicsBetweenMeasuredWordsAreBetweenTheirRates) {
  const auto read = parse_calibration(h200_file(), "h200");
  ASSERT_TRUE(read);
  EXPECT_DOUBLE_EQ(read->atomics_per_us(1, false), read->value("atomics_1"));
  EXPECT_DOUBLE_EQ(read->atomics_per_us(1e9, false), read->value("atomics_1048576"));
  const double between = read->atomics_per_us(8000, false);
  EXPECT_GT(between, read->value("atomics_1024"));
  EXPECT_LT(between, read->value("atomics_65536"));
  EXPECT_GT(read->atomics_per_us(4096, true), read->atomics_per_us(4096, false)) << "side by side is faster";
}

// Each count that grows makes a kernel take longer.
TEST(CalibratedTime, MoreWorkTakesLonger) {
  const Device h200 = *find_device("H200");
  KernelWork work;
  work.shape = {{1320, 1, 1}, {256, 1, 1}};
  work.occupancy = occupancy_of(h200, {256, 32, 0, 0, 1320});
  work.counters.warp_instructions = 200'000;
  work.mix.of(IssueUnit::fp32) = 200'000;
  work.buffer_bytes = 1 << 20;
  const auto us = [&](const KernelWork& w) {
    return kernel_time(h200, w, default_time_parameters()).us->value;
  };
  const double base = us(work);
  const auto with = [&](auto change) {
    KernelWork more = work;
    change(more);
    return us(more);
  };
  EXPECT_GT(base, calibration_of(h200)->value("floor_us"));
  EXPECT_GT(with([](KernelWork& w) { w.mix.of(IssueUnit::divide) = 1'000'000; }), 2 * base);
  EXPECT_GT(with([](KernelWork& w) { w.counters.shared_atomic_wavefronts = 10'000'000; }), 2 * base);
  EXPECT_GT(with([](KernelWork& w) { w.mix.load_lines = 20'000'000; }), 2 * base);
  const auto stores = [](uint64_t ideal, uint64_t lines) {
    return [=](KernelWork& w) {
      w.counters.global_store_requests = 100'000;
      w.counters.global_store_sectors = 3'200'000;
      w.mix.store_sectors_ideal = ideal;
      w.mix.store_lines = lines;
    };
  };
  const double whole = with(stores(3'200'000, 800'000)), part = with(stores(400'000, 800'000)),
               scattered = with(stores(400'000, 3'200'000));
  EXPECT_LT(whole, part);
  EXPECT_LT(part, scattered) << "sectors alone in their lines";
  const auto atomics = [](uint64_t hottest) {
    return [=](KernelWork& w) {
      w.mix.atomic_updates = 1'000'000;
      w.mix.atomic_hottest_lanes = hottest;
      w.counters.atomic_sectors = 1'000'000;
    };
  };
  EXPECT_GT(with(atomics(1'000'000)), 5 * with(atomics(100))) << "they queue at one word";
  EXPECT_GT(with([](KernelWork& w) { w.mix.chain[size_t(ChainLink::global)] = 10'560 * 100; }), 2 * base);
  EXPECT_GT(with([](KernelWork& w) {
              w.shape.grid.x = 1'000'000;
              w.shape.block.x = 32;
            }),
            500)
      << "blocks start one after the other";
}

}  // namespace THIS_FILE
}  // namespace warplens
