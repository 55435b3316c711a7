// The runtime for kernels of one module on one device: which kernels they may launch, and their programs.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "core/device/device.h"
#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/device_work.h"
#include "core/launch/launch_request.h"
#include "core/program/program.h"

namespace warplens {

class ModuleRuntime final : public exec::DeviceRuntime {
 public:
  ModuleRuntime(std::shared_ptr<const ptx::Module> module, program::DecodeMode mode, const Device& device)
      : m_module(std::move(module)), m_mode(mode), m_device(device) {}

  exec::DeviceError check(const exec::DeviceWork& kernel) override;
  std::optional<int32_t> attribute(int32_t number) override;
  std::optional<exec::KernelFacts> facts(uint32_t function) override;
  std::optional<uint32_t> active_blocks(uint32_t function, uint32_t threads, uint64_t dynamic_bytes) override;
  // Decoded at the first call. An error says why it cannot be run.
  Result<std::shared_ptr<const program::Program>> program_of(uint32_t function);

 private:
  std::shared_ptr<const ptx::Module> m_module;
  program::DecodeMode m_mode;
  const Device& m_device;
  std::map<uint32_t, std::shared_ptr<const program::Program>> m_programs;  // by function
};

// Whether CUDA would accept a launch by a kernel: as for the host, but the shared memory needs no opting in.
exec::DeviceError check_kernel(const Device& device, const exec::DeviceWork& kernel,
                               const program::Program& program);
// What the assembler made of a kernel.
struct AssembledKernel {
  uint32_t registers = 32;  // where it is not known: as many as a full block may have
  uint64_t local_bytes = 0;
};
exec::KernelFacts facts_of(const Device& device, const program::Program& program,
                           const AssembledKernel& assembled);
uint32_t active_blocks_of(const Device& device, const program::Program& program, uint32_t registers,
                          uint32_t threads, uint64_t dynamic_bytes);
// A launch that a kernel of `parent` made. What observes the parent, and its index, are the parent's still.
exec::GridLaunch child_of(const exec::GridLaunch& parent, const exec::DeviceWork& kernel,
                          const program::Program& program);
// The launch as a step: a parameter that is the address of an array names an array.
LaunchStep step_of(const exec::GridLaunch& launch);

}  // namespace warplens
