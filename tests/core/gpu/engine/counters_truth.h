// The launches that Nsight Compute counted on an H200, tests/data/truth/counters_h200.json: as requests, with
// their counts.
#pragma once

#include <bit>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "tests/core/gpu/engine/support.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::test {

inline nlohmann::json counted_launches() {
  return nlohmann::json::parse(
      exec::test::read_text(exec::test::source_file("tests/data/truth/counters_h200.json")));
}

inline LaunchRequest counted_request(const nlohmann::json& test) {
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
  for (const nlohmann::json& argument : test["args"]) {
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

// The metrics of a launch that the profiler and our counters count differently, and why (docs/counters.md).
inline bool counts_otherwise(const std::string& kernel, const std::string& pattern, const std::string& name) {
  // The machine code has no such atomics: they are loops around a comparison, with additional loads.
  if (kernel == "pattern_shared_atomic_float" || kernel == "pattern_shared_atomic_wide")
    return name.starts_with("shared_") || name == "divergent_branches";
  // l1tex's loads include copies past L1, counted in sectors by a different rule. Lanes 48 bytes apart take
  // 24 wavefronts, not 32; the rule is not known.
  const bool past_l1 = kernel.find("_cg_") != kernel.npos;
  return past_l1 &&
         (name == "global_load_sectors" || (name == "async_copy_shared_wavefronts" && pattern == "stride 3"));
}

inline uint64_t truth_of(const nlohmann::json& test, const std::string& name) {
  // "unoptimised": with ptxas -O0, where -O3 compiled the PTX to other instructions; docs/counters.md says
  // which.
  const bool other = test.contains("unoptimised") && test["unoptimised"].contains(name);
  return (other ? test["unoptimised"] : test["counters"])[name].get<uint64_t>();
}

}  // namespace warplens::test
