// The counters against Nsight Compute's on an H200: tests/truth/counters_h200.json.
#include <bit>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "tests/core/gpu/engine/support.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::test {
namespace THIS_FILE {

using Json = nlohmann::json;

LaunchRequest request_of(const Json& test) {
  LaunchRequest request;
  auto text = std::make_shared<ModuleText>();
  text->ptx = exec::test::read_text(exec::test::source_file(test["ptx"].get<std::string>()));
  request.module = std::move(text);
  request.workers = 1;
  LaunchStep step;
  step.entry = test["kernel"].get<std::string>();
  step.grid = {test["grid"][0].get<uint32_t>(), test["grid"][1].get<uint32_t>(),
               test["grid"][2].get<uint32_t>()};
  step.block = {test["block"][0].get<uint32_t>(), test["block"][1].get<uint32_t>(),
                test["block"][2].get<uint32_t>()};
  for (const Json& argument : test["args"]) {
    if (argument.contains("i32")) {
      step.arguments.emplace_back(
          ScalarArgument{DType::i32, static_cast<uint32_t>(argument["i32"].get<int32_t>())});
    } else if (argument.contains("f32")) {
      step.arguments.emplace_back(
          ScalarArgument{DType::f32, std::bit_cast<uint32_t>(argument["f32"].get<float>())});
    } else {
      BufferSpec buffer;
      buffer.name = "buffer";
      if (argument.contains("words")) {
        const auto words = argument["words"].get<std::vector<uint32_t>>();
        buffer.bytes = words.size() * 4;
        auto bytes = std::make_shared<Bytes>(buffer.bytes);
        std::memcpy(bytes->data(), words.data(), bytes->size());
        buffer.initial = std::move(bytes);
      } else {
        buffer.bytes = argument["bytes"].get<uint64_t>();
      }
      step.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(request.buffers.size()), 0});
      request.buffers.push_back(std::move(buffer));
    }
  }
  request.steps = {step};
  return request;
}

const std::vector<std::pair<std::string, uint64_t Counters::*>> compared = {
    {"global_load_requests", &Counters::global_load_requests},
    {"global_load_sectors", &Counters::global_load_sectors},
    {"global_store_requests", &Counters::global_store_requests},
    {"global_store_sectors", &Counters::global_store_sectors},
    {"local_load_sectors", &Counters::local_load_sectors},
    {"local_store_sectors", &Counters::local_store_sectors},
    {"shared_load_requests", &Counters::shared_load_requests},
    {"shared_load_wavefronts", &Counters::shared_load_wavefronts},
    {"shared_load_bank_conflicts", &Counters::shared_load_bank_conflicts},
    {"shared_store_requests", &Counters::shared_store_requests},
    {"shared_store_wavefronts", &Counters::shared_store_wavefronts},
    {"shared_store_bank_conflicts", &Counters::shared_store_bank_conflicts},
    {"shared_atomic_requests", &Counters::shared_atomic_requests},
    {"shared_atomic_wavefronts", &Counters::shared_atomic_wavefronts},
    {"shared_atomic_bank_conflicts", &Counters::shared_atomic_bank_conflicts},
    {"async_copy_requests", &Counters::async_copy_requests},
    {"async_copy_global_sectors", &Counters::async_copy_global_sectors},
    {"async_copy_shared_wavefronts", &Counters::async_copy_shared_wavefronts},
    {"async_copy_bank_conflicts", &Counters::async_copy_bank_conflicts},
    {"atomic_requests", &Counters::atomic_requests},
    {"atomic_sectors", &Counters::atomic_sectors},
    {"divergent_branches", &Counters::divergent_branches}};

// What the profiler counts of a launch that ours count otherwise, and why (docs/counters.md).
bool counts_otherwise(const std::string& kernel, const std::string& pattern, const std::string& name) {
  // Machine code has no such atomics: they are loops around a comparison, with loads of their own.
  if (kernel == "pattern_shared_atomic_float" || kernel == "pattern_shared_atomic_wide")
    return name.starts_with("shared_") || name == "divergent_branches";
  // l1tex's loads hold copies past L1 in a number of sectors of their own. Lanes 48 bytes apart take 24
  // wavefronts, not 32; the rule is not known.
  const bool past_l1 = kernel.find("_cg_") != kernel.npos;
  return past_l1 &&
         (name == "global_load_sectors" || (name == "async_copy_shared_wavefronts" && pattern == "stride 3"));
}

uint64_t truth_of(const Json& test, const std::string& name) {
  // "unoptimised": with ptxas -O0, where -O3 made other instructions of the PTX; docs/counters.md says which.
  const bool other = test.contains("unoptimised") && test["unoptimised"].contains(name);
  return (other ? test["unoptimised"] : test["counters"])[name].get<uint64_t>();
}

TEST(CountersTruth, EqualNsightComputesOnAnH200) {
  const auto backend = make_virtual_gpu();
  const Json tests =
      Json::parse(exec::test::read_text(exec::test::source_file("tests/truth/counters_h200.json")));
  ASSERT_GT(tests.size(), 600u);
  for (const Json& test : tests) {
    const auto result = backend->run(std::make_shared<LaunchRequest>(request_of(test)), {}, nullptr);
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->status, RunStatus::ok) << result->message;
    const auto kernel = test["kernel"].get<std::string>();
    for (const auto& [name, member] : compared) {
      if (counts_otherwise(kernel, test.value("pattern", ""), name)) continue;
      uint64_t truth = truth_of(test, name);
      // l1tex counts copies among its loads.
      if (name == "global_load_requests") truth -= truth_of(test, "async_copy_requests");
      if (name == "global_load_sectors") truth -= truth_of(test, "async_copy_global_sectors");
      EXPECT_EQ((*result->counters).*member, truth)
          << kernel << " " << name << ", grid " << test["grid"].dump() << ", block " << test["block"].dump()
          << " " << test.value("pattern", "");
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
