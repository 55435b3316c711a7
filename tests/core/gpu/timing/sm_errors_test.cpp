// The errors of the model of an SM that the profiler's page shows. tests/tools/sm_model_test.py compares the
// file with what was measured.
#include "core/gpu/timing/sm/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/system/embedded.h"
#include "core/device/device.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

TEST(SmErrors, TheProgramsOwnAreOfADeviceThatItHas) {
  const char* file = "timing/sm_errors.json";
  const Result<sm::Errors> errors = sm::parse_errors(find_embedded(file), file);
  ASSERT_TRUE(errors.ok()) << errors.error().message;
  const Result<Device> device = find_device(errors->device);
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device->name, errors->device);
  EXPECT_GT(errors->largest_stall_equal, errors->launches / 2);
  EXPECT_LE(errors->largest_stall_equal, errors->launches);
  EXPECT_EQ(sm::measured_errors().metrics, errors->metrics);
}

TEST(SmErrors, MistakesAreSaid) {
  const auto message = [](const char* json) {
    const Result<sm::Errors> errors = sm::parse_errors(json, "e.json");
    return errors ? std::string() : errors.error().message;
  };
  EXPECT_EQ(
      message(
          R"({"device": "D", "launches": 1, "largest_stall_equal": 1, "cycles": 0.1, "metrics": {"m": 0.2}})"),
      "");
  EXPECT_THAT(message("{"), HasSubstr("e.json"));
  EXPECT_THAT(message(R"({"device": "D"})"), HasSubstr("launches"));
  EXPECT_THAT(
      message(R"({"device": "D", "launches": 0, "largest_stall_equal": 0, "cycles": 0, "metrics": {}})"),
      HasSubstr("at least 1"));
  EXPECT_THAT(
      message(
          R"({"device": "D", "launches": 1, "largest_stall_equal": 0, "cycles": 0, "metrics": {"m": ""}})"),
      HasSubstr("e.json"));
}

}  // namespace THIS_FILE
}  // namespace warplens
