#include "core/gpu/machine/module_runtime.h"

#include <algorithm>
#include <cstring>

#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"
#include "core/gpu/exec/isa/isa.h"

namespace warplens {

namespace {

// As an H200 with CUDA 13.0 gives it in a kernel, also where the host gets cudaErrorInvalidValue.
exec::DeviceError error_of(const LaunchRefusal& refusal) {
  if (refusal.cuda_error == "cudaErrorLaunchOutOfResources")
    return exec::DeviceError::launch_out_of_resources;
  return exec::DeviceError::invalid_configuration;
}

// cudaDeviceAttr.
enum : int32_t {
  threads_per_block = 1,
  block_x = 2,
  block_y = 3,
  block_z = 4,
  grid_x = 5,
  grid_y = 6,
  grid_z = 7,
  shared_per_block = 8,
  warp_size = 10,
  registers_per_block = 12,
  multiprocessors = 16,
  threads_per_sm = 39,
  capability_major = 75,
  capability_minor = 76,
  shared_per_sm = 81,
  registers_per_sm = 82,
  shared_opt_in = 97,
  blocks_per_sm = 106,
};

}  // namespace

exec::DeviceError check_kernel(const Device& device, const exec::DeviceWork& kernel,
                               const program::Program& program) {
  const LaunchShape shape{
      .grid = kernel.grid, .block = kernel.block, .shared_dynamic_bytes = kernel.shared_bytes};
  Resources resources;
  resources.shared_static_bytes = program.shared_static_bytes;
  const auto& most = program.function->max_threads;
  const auto refusal =
      check_launch(device, shape, &resources, most ? static_cast<uint32_t>(most->count()) : 0);
  return refusal ? error_of(*refusal) : exec::DeviceError::none;
}

exec::KernelFacts facts_of(const Device& device, const program::Program& program,
                           const AssembledKernel& assembled) {
  exec::KernelFacts facts;
  // Without what fills up to the next multiple of 16.
  for (const program::SharedVariable& variable : program.shared_variables)
    if (variable.end != UINT64_MAX) facts.shared_bytes = std::max(facts.shared_bytes, variable.end);
  for (const auto& variable : program.module->variables)
    if (variable.space == ptx::StateSpace::constant) facts.constant_bytes += variable.bytes;
  facts.local_bytes = assembled.local_bytes;
  // "beyond which a launch of the function would fail" (CUDA Driver API, CUfunction_attribute)
  uint64_t most = most_threads_by_registers(device, assembled.registers);
  if (const auto& own = program.function->max_threads) most = std::min(most, own->count());
  facts.most_threads = static_cast<int32_t>(most);
  facts.registers = static_cast<int32_t>(assembled.registers);
  facts.ptx_version = static_cast<int32_t>(program.module->target_number);
  facts.binary_version = static_cast<int32_t>(device.compute_capability.number());
  const uint32_t limit = device.limits.shared_bytes_per_block;
  facts.most_dynamic_shared_bytes =
      static_cast<int32_t>(limit - std::min(limit, program.shared_static_bytes));
  return facts;
}

uint32_t active_blocks_of(const Device& device, const program::Program& program, uint32_t registers,
                          uint32_t threads, uint64_t dynamic_bytes) {
  OccupancyInput input;
  input.threads_per_block = threads;
  input.registers_per_thread = registers;
  input.shared_static_bytes = program.shared_static_bytes;
  input.shared_dynamic_bytes = static_cast<uint32_t>(std::min<uint64_t>(dynamic_bytes, 1 << 20));
  input.blocks = 1;
  return occupancy_of(device, input).active_blocks_per_sm;
}

exec::GridLaunch child_of(const exec::GridLaunch& parent, const exec::DeviceWork& kernel,
                          const program::Program& program) {
  exec::GridLaunch launch = parent;
  launch.program = &program;
  launch.grid = kernel.grid;
  launch.block = kernel.block;
  launch.shared_dynamic_bytes = kernel.shared_bytes;
  launch.shared_bytes = program.shared_static_bytes + kernel.shared_bytes;
  launch.parameters = kernel.parameters;
  launch.parameters.resize(program.parameter_bytes);
  launch.may_part = !program.needs_whole_warps;
  launch.cooperative = false;
  launch.grid_workspace = 0;
  launch.first_block = 0;
  launch.end_block = kernel.grid.count();
  launch.kept = nullptr;
  return launch;
}

LaunchStep step_of(const exec::GridLaunch& launch) {
  LaunchStep step;
  step.entry = launch.program->function->name;
  step.grid = launch.grid;
  step.block = launch.block;
  step.shared_dynamic_bytes = launch.shared_dynamic_bytes;
  step.cooperative = launch.cooperative;
  const auto& parameters = launch.program->function->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    uint64_t value = 0;
    const auto bytes = std::min<size_t>(parameters[i].bytes, sizeof value);
    std::memcpy(&value, launch.parameters.data() + launch.program->parameter_offsets[i], bytes);
    if (bytes == sizeof value && launch.memory->find(value) != nullptr) {
      step.arguments.emplace_back(BufferArgument{});
    } else {
      step.arguments.emplace_back(ScalarArgument{});
    }
  }
  return step;
}

exec::DeviceError ModuleRuntime::check(const exec::DeviceWork& kernel) {
  const auto program = program_of(kernel.function);
  // Why a program cannot be run is said when it would begin.
  return program ? check_kernel(m_device, kernel, **program) : exec::DeviceError::none;
}

std::optional<int32_t> ModuleRuntime::attribute(int32_t number) {
  const DeviceLimits& limits = m_device.limits;
  const auto value = [&]() -> std::optional<uint32_t> {
    switch (number) {
      case threads_per_block:
        return limits.max_threads_per_block;
      case block_x:
        return limits.max_block.x;
      case block_y:
        return limits.max_block.y;
      case block_z:
        return limits.max_block.z;
      case grid_x:
        return limits.max_grid.x;
      case grid_y:
        return limits.max_grid.y;
      case grid_z:
        return limits.max_grid.z;
      case shared_per_block:
        return limits.shared_bytes_per_block;
      case warp_size:
        return 32;
      case registers_per_block:
        return limits.registers_per_block;
      case multiprocessors:
        return m_device.sms;
      case threads_per_sm:
        return 32 * limits.max_warps_per_sm;
      case capability_major:
        return m_device.compute_capability.major;
      case capability_minor:
        return m_device.compute_capability.minor;
      case shared_per_sm:
        return limits.shared_bytes_per_sm;
      case registers_per_sm:
        return limits.registers_per_sm;
      case shared_opt_in:
        return limits.shared_bytes_per_block_optin;
      case blocks_per_sm:
        return limits.max_blocks_per_sm;
      default:
        return {};
    }
  }();
  return value ? std::optional(static_cast<int32_t>(*value)) : std::nullopt;
}

std::optional<exec::KernelFacts> ModuleRuntime::facts(uint32_t function) {
  const auto program = program_of(function);
  if (!program) return {};
  return facts_of(m_device, **program, {.local_bytes = (*program)->local_bytes});
}

std::optional<uint32_t> ModuleRuntime::active_blocks(uint32_t function, uint32_t threads,
                                                     uint64_t dynamic_bytes) {
  const auto program = program_of(function);
  if (!program) return {};
  return active_blocks_of(m_device, **program, AssembledKernel().registers, threads, dynamic_bytes);
}

Result<std::shared_ptr<const program::Program>> ModuleRuntime::program_of(uint32_t function) {
  std::shared_ptr<const program::Program>& program = m_programs[function];
  if (program == nullptr) {
    program::DecodeResult decoded =
        program::decode(m_module, m_module->functions[function].name, exec::best_ops(), m_mode);
    if (decoded.program == nullptr) return bad_input(to_text(decoded.diagnostics));
    program = std::move(decoded.program);
  }
  return program;
}

}  // namespace warplens
