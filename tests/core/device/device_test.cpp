#include "core/device/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/base/system/embedded.h"

namespace warplens {
namespace THIS_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* minimal = R"({"name": "Test GPU",
  "compute_capability": {"value": "8.6", "source": "a"}, "sms": {"value": 3, "source": "b"}})";

// The minimal device with one more field, or one replaced: nlohmann keeps the last of two equal keys.
std::string with(const std::string& field) {
  std::string text = minimal;
  return text.insert(text.rfind('}'), ", " + field);
}

std::string error_of(const std::string& text) {
  const auto device = parse_device(text, "devices/test.json");
  if (device.ok()) return "no error";
  EXPECT_EQ(device.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(device.error().message, HasSubstr("devices/test.json"));
  return device.error().message;
}

TEST(DeviceFile, ReadsEveryFieldAndItsSource) {
  const auto device = parse_device(
      with(
          R"("boost_clock_mhz": {"value": 1777.5, "source": "c"}, "memory_bytes": {"value": 12884901888, "source": "d"},
              "l2_bytes": null, "pcie_gb_s": {"value": null, "source": "e"}, "notes": "n",
              "limits": {"max_warps_per_sm": {"value": 32, "source": "f"}})"),
      "some/where/test_gpu.json");
  ASSERT_TRUE(device.ok()) << device.error().message;
  EXPECT_EQ(device->id, "test_gpu");
  EXPECT_EQ(device->name, "Test GPU");
  EXPECT_EQ(device->notes, "n");
  EXPECT_TRUE(device->is_virtual);
  EXPECT_EQ(device->compute_capability.number(), 86u);
  EXPECT_EQ(device->sms, 3u);
  EXPECT_EQ(device->boost_clock_mhz, 1777.5);
  EXPECT_EQ(device->memory_bytes, 12884901888u);
  EXPECT_EQ(device->l2_bytes, std::nullopt);
  EXPECT_EQ(device->pcie_gb_s, std::nullopt);
  EXPECT_EQ(device->limits.max_warps_per_sm, 32u);
  EXPECT_EQ(device->limits.max_blocks_per_sm, 16u);  // of 8.6
  EXPECT_EQ(source_of(*device, "sms"), "b");
  EXPECT_EQ(source_of(*device, "limits.max_warps_per_sm"), "f");
  EXPECT_EQ(source_of(*device, "l2_bytes"), "");
}

TEST(DeviceFile, NamesWhatIsWrong) {
  EXPECT_THAT(error_of(with(R"("colour": 3)")), AllOf(HasSubstr("\"colour\""), HasSubstr("not a field")));
  EXPECT_THAT(error_of(with(R"("limits": {"max_wraps": {"value": 1, "source": "s"}})")),
              HasSubstr("\"limits.max_wraps\""));
  EXPECT_THAT(error_of(with(R"("sms": {"value": 3, "source": "s", "unit": "SM"})")), HasSubstr("\"unit\""));
  EXPECT_THAT(error_of(with(R"("sms": {"value": 3})")), AllOf(HasSubstr("\"sms\""), HasSubstr("source")));
  EXPECT_THAT(error_of(with(R"("sms": {"value": 3, "source": ""})")), HasSubstr("source"));
  EXPECT_THAT(error_of(with(R"("sms": 3)")), HasSubstr("\"sms\""));
  EXPECT_THAT(error_of(with(R"("limits": 3)")), HasSubstr("\"limits\""));
  EXPECT_THAT(error_of(with(R"("name": 3)")), HasSubstr("\"name\""));
  EXPECT_THAT(error_of(with(R"("notes": 3)")), HasSubstr("\"notes\""));
}

TEST(DeviceFile, RefusesNumbersThatNoDeviceHas) {
  for (const char* value : {"-1", "0", "1.5", "\"28\"", "true", "[28]", "5000", "1e30",
                            "18446744073709551616", "-9223372036854775808"}) {
    SCOPED_TRACE(value);
    EXPECT_THAT(error_of(with(std::string(R"("sms": {"value": )") + value + R"(, "source": "s"})")),
                HasSubstr("\"sms\" must be a whole number"));
  }
  for (const char* value : {"-1", "0", "\"fast\"", "1e300", "[]"}) {
    SCOPED_TRACE(value);
    EXPECT_THAT(error_of(with(std::string(R"("pcie_gb_s": {"value": )") + value + R"(, "source": "s"})")),
                HasSubstr("\"pcie_gb_s\" must be a number"));
  }
  for (const char* value :
       {"\"8\"", "\"8.\"", "\".6\"", "\"8.6a\"", "8.6", "\"999.0\"", "\"-8.6\"", "\"\"", "null"}) {
    SCOPED_TRACE(value);
    EXPECT_THAT(
        error_of(with(std::string(R"("compute_capability": {"value": )") + value + R"(, "source": "s"})")),
        HasSubstr("\"compute_capability\""));
  }
  for (const char* value : {"[1, 2]", "[1, 2, 0]", "[1, 2, 65536]", "[1, 2, -3]", "7", "[1, 2, \"3\"]"}) {
    SCOPED_TRACE(value);
    EXPECT_THAT(
        error_of(with(std::string(R"("limits": {"max_grid": {"value": )") + value + R"(, "source": "s"}})")),
        HasSubstr("\"limits.max_grid\""));
  }
}

TEST(DeviceFile, RefusesLimitsThatContradictEachOther) {
  const auto limit = [](const char* name, int value) {
    return with(std::string(R"("limits": {")") + name + R"(": {"value": )" + std::to_string(value) +
                R"(, "source": "s"}})");
  };
  EXPECT_THAT(error_of(limit("max_warps_per_sm", 16)), HasSubstr("max_threads_per_block"));
  EXPECT_THAT(error_of(limit("registers_per_sm", 32768)), HasSubstr("registers_per_block"));
  EXPECT_THAT(error_of(limit("shared_bytes_per_block_optin", 1024)), HasSubstr("shared_bytes_per_block"));
  EXPECT_THAT(error_of(limit("shared_bytes_per_sm", 65536)), HasSubstr("optin"));
}

TEST(DeviceFile, RefusesMissingKeysAndUnknownCapabilities) {
  EXPECT_THAT(error_of("{}"), HasSubstr("\"name\""));
  EXPECT_THAT(error_of(R"({"name": "x"})"), HasSubstr("\"compute_capability\""));
  EXPECT_THAT(error_of(R"({"name": "x", "compute_capability": {"value": "8.6", "source": "s"}})"),
              HasSubstr("\"sms\""));
  EXPECT_THAT(error_of(with(R"("compute_capability": {"value": "3.5", "source": "s"})")), HasSubstr("3.5"));
  EXPECT_THAT(error_of("[]"), HasSubstr("JSON object"));
  EXPECT_THAT(error_of(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of(with("\"limits\": " + std::string(200'000, '[') + std::string(200'000, ']'))),
              HasSubstr("nested more than 100 deep"));
  EXPECT_THAT(error_of("\xff\xfe"), HasSubstr("not valid JSON"));
}

TEST(DeviceFile, EveryTruncationIsAnError) {
  const auto whole = std::string(find_embedded("devices/rtx_3060.json"));
  ASSERT_FALSE(whole.empty());
  const size_t end = whole.rfind('}');
  for (size_t length = 0; length <= end; ++length) {
    EXPECT_NE(error_of(whole.substr(0, length)), "no error") << length;
  }
}

// Any byte may be broken; nothing may throw or crash, and what parses has sound limits.
TEST(DeviceFile, SurvivesEveryBrokenByte) {
  const auto whole = std::string(find_embedded("devices/teaching_gpu.json"));
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '"', '}', '9', '-'}) {
      std::string broken = whole;
      broken[at] = byte;
      const auto device = parse_device(broken, "broken.json");
      EXPECT_TRUE(!device.ok() || device->sms > 0);
    }
  }
}

TEST(BuiltInDevices, AllParse) {
  size_t files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("devices/")) continue;
    ++files;
    const auto device = parse_device(file.bytes, file.path);
    EXPECT_TRUE(device.ok()) << device.error().message;
  }
  EXPECT_EQ(files, built_in_devices().size());
  EXPECT_TRUE(device_mistakes().empty());
}

TEST(BuiltInDevices, AreThoseThatTheProgramPromises) {
  for (const char* name : {"NVIDIA GeForce GTX 1060 6GB",
                           "NVIDIA GeForce GTX 1080",
                           "Tesla T4",
                           "Tesla V100-SXM2-16GB",
                           "NVIDIA GeForce RTX 2060",
                           "NVIDIA GeForce RTX 2080",
                           "NVIDIA GeForce RTX 3060",
                           "NVIDIA GeForce RTX 3080",
                           "NVIDIA GeForce RTX 3090",
                           "NVIDIA A100-SXM4-40GB",
                           "NVIDIA A100-SXM4-80GB",
                           "NVIDIA GeForce RTX 4060",
                           "NVIDIA GeForce RTX 4070",
                           "NVIDIA GeForce RTX 4090",
                           "NVIDIA L4",
                           "NVIDIA H100 80GB HBM3",
                           "NVIDIA H200",
                           "NVIDIA GeForce RTX 5090",
                           "NVIDIA Jetson Orin Nano 8GB",
                           "WarpLens Teaching GPU"}) {
    const auto device = find_device(name);
    ASSERT_TRUE(device.ok()) << device.error().message;
    EXPECT_EQ(device->name, name);
  }
  ASSERT_FALSE(built_in_devices().empty());
  EXPECT_EQ(built_in_devices().front().name, "NVIDIA GeForce RTX 3060");
}

TEST(BuiltInDevices, HaveTheirOwnNamesAndASourceForEveryNumber) {
  std::set<std::string> ids, names;
  for (const Device& device : built_in_devices()) {
    SCOPED_TRACE(device.name);
    EXPECT_TRUE(ids.insert(device.id).second);
    EXPECT_TRUE(names.insert(device.name).second);
    EXPECT_FALSE(source_of(device, "sms").empty());
    EXPECT_EQ(source_of(device, "boost_clock_mhz").empty(), !device.boost_clock_mhz);
    EXPECT_EQ(source_of(device, "memory_bandwidth_gb_s").empty(), !device.memory_bandwidth_gb_s);
    EXPECT_EQ(source_of(device, "memory_bytes").empty(), !device.memory_bytes);
    EXPECT_EQ(source_of(device, "l2_bytes").empty(), !device.l2_bytes);
    EXPECT_EQ(source_of(device, "pcie_gb_s").empty(), !device.pcie_gb_s);
    // Shared memory is carved out of the L1 array from Volta on.
    if (device.compute_capability >= ComputeCapability{7, 0} && device.l1_bytes_per_sm) {
      EXPECT_GE(*device.l1_bytes_per_sm, device.limits.shared_bytes_per_sm);
    }
  }
}

// As cudaGetDeviceProperties of runtime 12.9 told on an NVIDIA H200.
TEST(BuiltInDevices, TheH200IsTheRealOne) {
  const auto device = find_device("NVIDIA H200");
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device->sms, 132u);
  EXPECT_EQ(device->limits.registers_per_sm, 65536u);
  EXPECT_EQ(device->limits.registers_per_block, 65536u);
  EXPECT_EQ(device->limits.max_warps_per_sm, 64u);
  EXPECT_EQ(device->limits.max_blocks_per_sm, 32u);
  EXPECT_EQ(device->limits.shared_bytes_per_block, 49152u);
  EXPECT_EQ(device->limits.shared_bytes_per_block_optin, 232448u);
  EXPECT_EQ(device->limits.shared_bytes_per_sm, 233472u);
  EXPECT_EQ(device->limits.shared_reserved_bytes_per_block, 1024u);
  EXPECT_EQ(device->limits.max_block, (Dim3{1024, 1024, 64}));
  EXPECT_EQ(device->limits.max_grid, (Dim3{2147483647, 65535, 65535}));
  EXPECT_EQ(device->l2_bytes, 62914560u);
}

TEST(FindDevice, TakesAUniquePartWithoutCase) {
  EXPECT_EQ(find_device("3060")->id, "rtx_3060");
  EXPECT_EQ(find_device("NVIDIA H200")->id, "h200");
  EXPECT_EQ(find_device("t4")->id, "tesla_t4");
  EXPECT_EQ(find_device("  tEsLa V100 ")->id, "tesla_v100");
  EXPECT_EQ(find_device("v100")->id, "tesla_v100");
  EXPECT_EQ(find_device(" l4\n")->id, "l4");
  EXPECT_EQ(find_device("teaching")->id, "teaching_gpu");
  EXPECT_EQ(find_device("a100_80gb")->id, "a100_80gb");
}

TEST(FindDevice, ListsWhatItCouldMean) {
  const auto several = find_device("a100");
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(several.error().message, AllOf(HasSubstr("NVIDIA A100-SXM4-40GB"),
                                             HasSubstr("NVIDIA A100-SXM4-80GB"), Not(HasSubstr("3060"))));
  const auto none = find_device("Voodoo 2");
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message,
              AllOf(HasSubstr("Voodoo 2"), HasSubstr("Tesla T4"), HasSubstr("RTX 5090")));
  for (const char* empty : {"", "   "}) {
    ASSERT_FALSE(find_device(empty).ok());
    EXPECT_THAT(find_device(empty).error().message, HasSubstr("Tesla T4"));
  }
  EXPECT_LT(find_device(std::string(100000, 'x')).error().message.size(), 2000u);
}

}  // namespace THIS_FILE
}  // namespace warplens
