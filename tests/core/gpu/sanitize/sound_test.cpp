// No false alarms: the built-in kernels and the programs that other tools compiled have no findings, but for
// those that tests/outside/findings.json lists with the reason why they are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/launch_file.h"
#include "core/job/files/launch_job.h"
#include "core/job/run_job.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "tests/core/kernels/kernel_names.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

std::string text_of(const Incident& incident) {
  std::string text = std::string(to_string(incident.kind)) + " at " + incident.file + ":" +
                     std::to_string(incident.line) + " (PTX " + std::to_string(incident.ptx_line) +
                     "): " + incident.message;
  if (incident.other) text += " Other side: PTX " + std::to_string(incident.other->ptx_line) + ".";
  return text + "\n";
}

std::string text_of(const RunResult& result) {
  std::string text;
  for (const Incident& incident : result.findings) text += text_of(incident);
  for (const Incident& incident : result.faults) text += text_of(incident);
  return text;
}

RunOptions watching_all() {
  RunOptions options;
  options.sanitize = Sanitize::all;
  options.check = false;
  return options;
}

Device device() { return built_in_devices().front(); }

class BuiltIn : public testing::TestWithParam<std::string> {
 protected:
  // The description's own size where that is small, else about a thousand elements: 1,000 does not fill
  // blocks.
  static KernelSetup setup_of(const KernelDescription& kernel, double most) {
    KernelSetup setup = default_setup(kernel);
    Image image{61, 37, 3, std::vector<uint8_t>(size_t{3} * 61 * 37), "noise", {}};
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(i * i >> 3);
    setup.image = std::make_shared<const Image>(std::move(image));
    const auto lower = [&](const std::vector<KernelArgument>& arguments) {
      for (const KernelArgument& argument : arguments) {
        if (argument.is_buffer || argument.control == Control::none || argument.name == "max_registers")
          continue;
        setup.values[argument.name] =
            std::clamp(std::min(argument.value, most), argument.minimum, argument.maximum);
      }
    };
    lower(kernel.arguments);
    lower(kernel.settings);
    return setup;
  }
  static void expect_sound(const KernelSetup& setup) {
    const KernelDescription& kernel = **find_kernel(GetParam());
    const auto job = make_job(borrowed(kernel), setup, device(), watching_all());
    if (!job) return;  // this size is none that the kernel takes
    const auto result = make_virtual_gpu()->run(job->request, {}, nullptr);
    ASSERT_TRUE(result) << result.error().message;
    if (kernel.intentionally_broken) return;
    EXPECT_EQ(text_of(*result), "") << "block " << setup.block.x << "," << setup.block.y;
  }
};

TEST_P(BuiltIn, HasNoFindingsAtSeveralSizes) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  for (const double most : {37.0, 100.0}) {
    KernelSetup setup = setup_of(kernel, most);
    expect_sound(setup);
    for (const Dim3 block : kernel.block_presets) {
      setup.block = block;
      if (most > 50 || block == kernel.block_presets.front()) expect_sound(setup);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BuiltIn, testing::ValuesIn(test_files::built_in_kernel_names()),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });

const fs::path outside = test_files::source_dir() / "tests/outside";
const fs::path data = test_files::source_dir() / "tests/data/outside";

class Outside : public testing::TestWithParam<std::string> {};

TEST_P(Outside, HasNoFindingsButThoseThatAreListed) {
  auto file = read_launch_file((data / (GetParam() + ".json")).string());
  ASSERT_TRUE(file) << file.error().message;
  // Where only the source may be kept, it is compiled now.
  const bool has_ptx = file->request.module != nullptr && !file->request.module->ptx.empty();
  const auto job = make_job(std::move(file).value(), GetParam(), device(), watching_all(), {});
  if (!job && !has_ptx && job.error().kind == ErrorKind::missing) GTEST_SKIP() << job.error().message;
  ASSERT_TRUE(job) << job.error().message;
  std::ifstream listed_text(outside / "findings.json");
  const auto listed = nlohmann::json::parse(listed_text);
  const auto result = make_virtual_gpu()->run(job->request, {}, nullptr);
  ASSERT_TRUE(result) << result.error().message;
  std::vector<std::string> kinds, expected;
  for (const Incident& incident : result->findings)
    kinds.push_back(std::string(to_string(incident.kind)) + " " + std::to_string(incident.ptx_line));
  if (listed.contains(GetParam())) {
    for (const auto& entry : listed[GetParam()])
      expected.push_back(entry["kind"].get<std::string>() + " " +
                         std::to_string(entry["ptx_line"].get<int>()));
  }
  EXPECT_EQ(kinds, expected) << text_of(*result);
}

std::vector<std::string> outside_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(data))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Outside, testing::ValuesIn(outside_names()),
                         [](const testing::TestParamInfo<std::string>& program) { return program.param; });

}  // namespace THIS_FILE
}  // namespace warplens
