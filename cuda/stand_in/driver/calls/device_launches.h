// What kernels launch: which kernels of their module they may, and what they give to the device besides.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/gpu/exec/state/device_work.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// For one launch of the host, and all that follows from it.
class LaunchesOfKernels final : public exec::DeviceRuntime {
 public:
  LaunchesOfKernels(Gpu& device, const Context& context, Module& module);

  exec::DeviceError check(const exec::DeviceWork& kernel) override;
  std::optional<int32_t> attribute(int32_t number) override;
  std::optional<exec::KernelFacts> facts(uint32_t function) override;
  std::optional<uint32_t> active_blocks(uint32_t function, uint32_t threads, uint64_t dynamic_bytes) override;
  // What a grid gave to the device. `name`: of its kernel, which outlives this.
  void give(std::string_view name, std::vector<exec::DeviceWork>&& works);
  // The next work; null if all has ended.
  const exec::DeviceWork* next();
  // The name of the kernel whose work runs.
  std::string_view parent() const { return m_parents[depth - 1]; }

  // Null: it cannot be run, and that was reported.
  Function* function_of_work(const exec::DeviceWork& kernel, CUresult& error);

 private:
  Function* function_at(uint32_t index, CUresult& error);

  Gpu& m_device;
  Module& m_module;
  std::vector<exec::WorkLevel> m_levels;
  std::vector<std::string_view> m_parents;  // of the levels
};

// A copy or a fill that a kernel gave.
void perform_transfer(Gpu& device, Stream* stream, const exec::DeviceWork& work);
// The value of a CUdevice_attribute; empty if there is none with this number.
std::optional<int32_t> device_attribute(const Device& device, int32_t number);

}  // namespace warplens::driver
