#include "core/launch/steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

namespace {

struct Describer {
  const LaunchRequest& request;

  std::string name(uint32_t buffer) const {
    return buffer < request.buffers.size() ? request.buffers[buffer].name : fmt::format("buffer {}", buffer);
  }
  std::string size(uint32_t buffer) const {
    const uint64_t bytes = buffer < request.buffers.size() ? request.buffers[buffer].bytes : 0;
    return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
  }

  std::string operator()(const AllocateStep& step) const {
    return fmt::format("allocate {} on the device: {}", name(step.buffer), size(step.buffer));
  }
  std::string operator()(const CopyInStep& step) const {
    return fmt::format("copy {} to the device: {}", name(step.buffer), size(step.buffer));
  }
  std::string operator()(const CopyOutStep& step) const {
    return fmt::format("copy {} to the host: {}", name(step.buffer), size(step.buffer));
  }
  std::string operator()(const FreeStep& step) const { return fmt::format("free {}", name(step.buffer)); }
  std::string operator()(const LaunchStep& step) const {
    const auto extent = [](Dim3 d) {
      return d.z > 1   ? fmt::format("{}×{}×{}", d.x, d.y, d.z)
             : d.y > 1 ? fmt::format("{}×{}", d.x, d.y)
                       : fmt::format("{}", d.x);
    };
    const bool one = step.grid == Dim3{1, 1, 1};
    return fmt::format("launch {}: {} {} of {} threads", step.entry, extent(step.grid),
                       one ? "block" : "blocks", extent(step.block));
  }
};

}  // namespace

std::string describe(const Step& step, const LaunchRequest& request) {
  return std::visit(Describer{request}, step);
}

std::vector<Step> all_steps(const LaunchRequest& request) {
  if (std::ranges::any_of(request.steps,
                          [](const Step& step) { return std::holds_alternative<AllocateStep>(step); }))
    return request.steps;
  std::vector<Step> steps;
  const auto buffers = static_cast<uint32_t>(request.buffers.size());
  for (uint32_t b = 0; b < buffers; ++b) {
    steps.emplace_back(AllocateStep{b});
    steps.emplace_back(CopyInStep{b});
  }
  steps.insert(steps.end(), request.steps.begin(), request.steps.end());
  for (uint32_t b = 0; b < buffers; ++b)
    if (request.buffers[b].output) steps.emplace_back(CopyOutStep{b});
  return steps;
}

const LaunchStep* nth_launch(const LaunchRequest& request, uint32_t number) {
  for (const Step& step : request.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch != nullptr && number-- == 0) return launch;
  }
  return nullptr;
}

const LaunchStep* first_launch(const LaunchRequest& request) { return nth_launch(request, 0); }

}  // namespace warplens
