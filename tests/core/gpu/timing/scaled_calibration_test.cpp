#include "core/gpu/timing/scaled_calibration.h"

#include <gtest/gtest.h>

#include "core/gpu/timing/time_model.h"

namespace warplens {
namespace THIS_FILE {

Device h200() { return *find_device("H200"); }
const Calibration& of_h200() { return *calibration_of(h200()); }

Calibration scaled_to(const Device& device) {
  return scaled_calibration(of_h200(), h200(), device, default_time_parameters());
}

TEST(ScaledCalibration, ADeviceScaledToItselfKeepsItsFiguresAndHasAWiderBand) {
  const Calibration same = scaled_to(h200());
  for (const auto& [name, band] : of_h200().figures) EXPECT_DOUBLE_EQ(same.value(name), band.value) << name;
  EXPECT_GT(same.band, of_h200().band);
  EXPECT_EQ(same.scaled_from, h200().name);
}

TEST(ScaledCalibration, RatesKeepTheirShareOfWhatIsPublished) {
  Device other = h200();
  other.name = "another device";
  other.boost_clock_mhz = *h200().boost_clock_mhz / 2;
  other.memory_bandwidth_gb_s = *h200().memory_bandwidth_gb_s / 4;
  other.fp32_lanes_per_sm = 64;
  const Calibration scaled = scaled_to(other);
  const auto ratio = [&](const char* figure) { return scaled.value(figure) / of_h200().value(figure); };
  EXPECT_DOUBLE_EQ(ratio("clock_mhz"), 0.5);
  EXPECT_DOUBLE_EQ(ratio("block_starts_per_us"), 0.5);
  EXPECT_DOUBLE_EQ(ratio("memory_load_gb_s"), 0.25);
  EXPECT_DOUBLE_EQ(ratio("issue_fp32"), 0.5);
  EXPECT_DOUBLE_EQ(ratio("issue_fp64"), 1);
  EXPECT_DOUBLE_EQ(ratio("atomics_1"), 0.5);
  EXPECT_DOUBLE_EQ(ratio("l2_latency"), 1) << "cycles stay cycles";
  EXPECT_DOUBLE_EQ(ratio("floor_us"), 1) << "and microseconds microseconds";
}

TEST(ScaledCalibration, NoClassIsFasterThanTheSchedulersAndNoDeviceThanItsSms) {
  for (const Device& device : built_in_devices()) {
    const auto scaled = calibration_for(device, default_time_parameters());
    if (!scaled) continue;
    for (const auto& [name, band] : scaled->figures) {
      EXPECT_GT(band.value, 0) << device.name << " " << name;
      EXPECT_LE(band.low, band.value);
      EXPECT_LE(band.value, band.high);
      if (name.starts_with("issue_")) {
        EXPECT_LE(band.value, 1.0001 * scaled->value("issue_slots")) << device.name << " " << name;
      }
    }
  }
  Device small = h200();
  small.name = "two SMs";
  small.sms = 2;
  EXPECT_LT(scaled_to(small).value("block_starts_per_us"), 0.1 * of_h200().value("block_starts_per_us"));
  EXPECT_LT(scaled_to(small).value("atomics_1048576"), 0.1 * of_h200().value("atomics_1048576"));
  EXPECT_DOUBLE_EQ(scaled_to(small).value("atomics_1"), of_h200().value("atomics_1"));
}

TEST(ScaledCalibration, OlderAndUnknownDevicesTakePublishedFigures) {
  EXPECT_FALSE(calibration_for(*find_device("1080"), default_time_parameters()));
  EXPECT_TRUE(calibration_for(*find_device("3060"), default_time_parameters()));
  Device vague = *find_device("3060");
  vague.memory_bandwidth_gb_s.reset();
  EXPECT_FALSE(calibration_for(vague, default_time_parameters()));
  const auto own = calibration_for(h200(), default_time_parameters());
  ASSERT_TRUE(own);
  EXPECT_TRUE(own->scaled_from.empty()) << "a measured device needs no other";
}

TEST(ScaledCalibration, TheFormulaSaysWhereTheFiguresComeFrom) {
  const Device device = *find_device("3060");
  KernelWork work;
  work.shape = {{100, 1, 1}, {256, 1, 1}};
  work.occupancy = occupancy_of(device, {256, 32, 0, 0, 100});
  work.counters.warp_instructions = 10'000;
  const KernelTime time = kernel_time(device, work, default_time_parameters());
  ASSERT_TRUE(time.us);
  EXPECT_NE(time.formula.find("scaled"), std::string::npos) << time.formula;
  EXPECT_NEAR(time.us->high / time.us->value, scaled_band, 1e-6);
}

}  // namespace THIS_FILE
}  // namespace warplens
