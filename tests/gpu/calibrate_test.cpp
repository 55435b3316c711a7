// The calibration of the GPU of this machine: within its time, twice the same, and what the manuals say.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "core/job/calibrate.h"
#include "cuda/device/backend/gpu_backend.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

using GpuCalibration = Gpu;

// WARPLENS_CALIBRATION=FILE keeps what was measured.
TEST_F(GpuCalibration, MeasuresEveryFigureInAMinute) {
  cuda::GpuBackend backend(driver, 0);
  const auto start = std::chrono::steady_clock::now();
  const auto first = calibrate(device, backend, {}, [](const std::string&) {});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_LT(took.count(), 60);
  RecordProperty("seconds", std::to_string(took.count()));
  const std::string json = calibration_json(*first);
  if (const char* file = std::getenv("WARPLENS_CALIBRATION")) std::ofstream(file) << json;
  const auto read = parse_calibration(json, "calibration");
  ASSERT_TRUE(read) << read.error().message;

  const auto second = calibrate(device, backend, {}, [](const std::string&) {});
  ASSERT_TRUE(second) << second.error().message;
  for (const CalibratedFigure& figure : calibrated_figures()) {
    if (figure.name == "events_us") continue;  // tests/data/truth/time_launches.cu measures it
    ASSERT_GT(first->value(figure.name), 0) << figure.name;
    const double change = second->value(figure.name) / first->value(figure.name);
    // The host has a part in these, and other programs use it too.
    const bool by_host = figure.name.starts_with("copy_") || figure.name == "launch_us";
    const double most = by_host ? 3 : 1.25;
    EXPECT_LE(std::max(change, 1 / change), most) << figure.name << ": " << first->value(figure.name);
  }
  EXPECT_TRUE(first->copy_us(1 << 20, true, true));
}

TEST_F(GpuCalibration, AgreesWithWhatIsPublished) {
  cuda::GpuBackend backend(driver, 0);
  const auto measured = calibrate(device, backend, {}, [](const std::string&) {});
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_LE(measured->value("issue_slots"), 1.02 * device.limits.sub_partitions);
  EXPECT_NEAR(measured->value("shared_wavefronts"), 1, 0.05);
  if (device.boost_clock_mhz) {
    EXPECT_LE(measured->value("clock_mhz"), 1.05 * double(*device.boost_clock_mhz));
  }
  if (device.memory_bandwidth_gb_s) {
    EXPECT_LE(measured->value("memory_load_gb_s"), 1.05 * *device.memory_bandwidth_gb_s);
    EXPECT_GE(measured->value("memory_load_gb_s"), 0.5 * *device.memory_bandwidth_gb_s);
  }
  EXPECT_LT(measured->value("l1_latency"), measured->value("l2_latency"));
  EXPECT_LT(measured->value("l2_latency"), measured->value("memory_latency"));
}

}  // namespace THIS_FILE
}  // namespace warplens
