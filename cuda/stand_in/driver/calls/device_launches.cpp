#include "cuda/stand_in/driver/calls/device_launches.h"

#include <algorithm>

#include "core/gpu/machine/module_runtime.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/modules.h"

namespace warplens::driver {

LaunchesOfKernels::LaunchesOfKernels(Gpu& device, const Context& context, Module& module)
    : m_device(device), m_module(module) {
  const auto limit = context.limits.find(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
  if (limit != context.limits.end())
    pending_limit = static_cast<uint32_t>(std::min<size_t>(limit->second, UINT32_MAX));
}

exec::DeviceError LaunchesOfKernels::check(const exec::DeviceWork& kernel) {
  CUresult error = CUDA_SUCCESS;
  const Function* function = function_of_work(kernel, error);
  if (function == nullptr) return exec::DeviceError::invalid_device_function;
  return check_kernel(m_module.context->on->spec, kernel, *function->program);
}

std::optional<int32_t> LaunchesOfKernels::attribute(int32_t number) {
  return device_attribute(m_module.context->on->spec, number);
}

std::optional<exec::KernelFacts> LaunchesOfKernels::facts(uint32_t index) {
  CUresult error = CUDA_SUCCESS;
  Function* function = function_at(index, error);
  return function == nullptr ? std::nullopt : std::optional(facts_of_function(*function));
}

std::optional<uint32_t> LaunchesOfKernels::active_blocks(uint32_t index, uint32_t threads,
                                                         uint64_t dynamic_bytes) {
  CUresult error = CUDA_SUCCESS;
  Function* function = function_at(index, error);
  if (function == nullptr) return {};
  return active_blocks_of_function(*function, threads, dynamic_bytes);
}

void LaunchesOfKernels::give(std::string_view name, std::vector<exec::DeviceWork>&& works) {
  m_parents.resize(m_levels.size());
  m_parents.push_back(name);
  m_levels.push_back({std::move(works)});
}

const exec::DeviceWork* LaunchesOfKernels::next() { return exec::next_work(m_levels, *this); }

Function* LaunchesOfKernels::function_of_work(const exec::DeviceWork& kernel, CUresult& error) {
  return function_at(kernel.function, error);
}

Function* LaunchesOfKernels::function_at(uint32_t index, CUresult& error) {
  return function_of(m_device, m_module, m_module.tree->functions[index].name, error);
}

void perform_transfer(Gpu& device, Stream* stream, const exec::DeviceWork& work) {
  const auto changed = exec::perform(work, device.memory);
  if (!changed) return;
  const bool is_fill = work.kind == exec::DeviceWork::Kind::fill;
  note_written(device, work.to, changed->bytes, is_fill);
  note_copy(device, stream, is_fill ? recording::Direction::memset : recording::Direction::on_device,
            work.width * work.height * work.depth, work.to, false);
}

}  // namespace warplens::driver
