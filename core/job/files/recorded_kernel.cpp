#include "core/job/files/recorded_kernel.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "core/base/system/files.h"
#include "core/job/files/array_names.h"
#include "core/job/files/recorded_job.h"
#include "core/recording/launch_source.h"

namespace warplens {

namespace {

constexpr uint64_t largest_source = uint64_t{4} << 20;

// As many threads as the launch had, or its own grid if that is more than an expression can hold.
void take_shape(const LaunchStep& step, KernelDescription& kernel) {
  kernel.default_block = step.block;
  const std::array<uint64_t, 3> threads{uint64_t{step.grid.x} * step.block.x,
                                        uint64_t{step.grid.y} * step.block.y,
                                        uint64_t{step.grid.z} * step.block.z};
  for (size_t axis = 0; axis < 3; ++axis) {
    const bool fits = threads[axis] <= INT32_MAX;
    kernel.problem[axis] = fits ? std::to_string(threads[axis]) : "1";
    if (!fits) kernel.default_grid = step.grid;
  }
  kernel.grid_stride = true;  // which threads have an element is not known
}

void take_source(const recording::Recording& recording, const recording::Event& launch,
                 KernelDescription& kernel) {
  const auto source = recording::source_of(recording, launch);
  if (!source) return;
  Result<std::string> text = read_text(source->file, largest_source);
  if (!text) return;
  kernel.source = *std::move(text);
  kernel.source_name = source->file;
}

}  // namespace

Result<std::shared_ptr<const KernelDescription>> recorded_kernel(const recording::Recording& recording,
                                                                 const recording::Event& launch,
                                                                 const std::string& name) {
  Result<LaunchRequest> request = recorded_request(recording, launch, name);
  if (!request) return request.error();
  const auto* step = std::get_if<LaunchStep>(&request->steps.front());
  if (step == nullptr) return bad_input(fmt::format("{}: launch {} has no shape.", name, launch.number));
  auto kernel = std::make_shared<KernelDescription>();
  kernel->name = fmt::format("{} #{}", launch.name, launch.number);
  kernel->title = fmt::format("{}, launch {}", launch.name, launch.number);
  kernel->category = name;
  kernel->entry = step->entry;
  kernel->ptx = request->module->ptx;
  kernel->source_name = request->module->ptx_name;
  kernel->own = true;
  take_shape(*step, *kernel);
  take_source(recording, launch, *kernel);
  name_source_arrays(*step, {kernel->source, kernel->ptx}, request->buffers);
  if (const uint32_t most = launch.launch->max_registers; most != 0) {
    KernelArgument limit;
    limit.name = "max_registers";
    limit.title = "Registers of a thread, at most";
    limit.value = limit.maximum = most;
    limit.minimum = 1;
    kernel->settings.push_back(limit);
    request->max_registers = most;
  }
  auto module = std::make_shared<ModuleText>(*request->module);
  if (!kernel->source.empty()) {
    module->source = kernel->source;
    module->source_name = kernel->source_name;
  }
  request->module = std::move(module);
  request->kernel = kernel->name;
  kernel->recorded = std::make_shared<const LaunchRequest>(*std::move(request));
  return std::shared_ptr<const KernelDescription>(std::move(kernel));
}

}  // namespace warplens
