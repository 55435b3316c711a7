#include "core/device/launch_limits.h"

#include <fmt/format.h>

#include <array>

#include "core/device/number_text.h"

namespace warplens {
namespace {

constexpr std::string_view invalid_configuration = "cudaErrorInvalidConfiguration";
constexpr std::string_view invalid_value = "cudaErrorInvalidValue";
constexpr std::string_view out_of_resources = "cudaErrorLaunchOutOfResources";
constexpr std::string_view too_large = "cudaErrorCooperativeLaunchTooLarge";
constexpr std::string_view not_supported = "cudaErrorNotSupported";

// A launch is an asynchronous call without a return value, so a program that does not query the error sees
// none.
constexpr std::string_view consequence =
    "The kernel never ran. A program that does not check for errors goes on and prints the old content of "
    "its output: zeros, garbage or the previous result. cudaGetLastError() keeps {} until it is read.";

LaunchRefusal refuse(std::string_view error, std::string message) {
  return {std::string(error), std::move(message), fmt::format(fmt::runtime(consequence), error)};
}

struct Axis {
  char name;
  uint32_t block, grid, max_block, max_grid;
};

std::array<Axis, 3> axes_of(const DeviceLimits& limits, const LaunchShape& shape) {
  return {Axis{'x', shape.block.x, shape.grid.x, limits.max_block.x, limits.max_grid.x},
          Axis{'y', shape.block.y, shape.grid.y, limits.max_block.y, limits.max_grid.y},
          Axis{'z', shape.block.z, shape.grid.z, limits.max_block.z, limits.max_grid.z}};
}

// Threads of a block without overflow: the axes are checked first, so that their product is small.
std::optional<LaunchRefusal> check_block(const DeviceLimits& limits, const LaunchShape& shape) {
  for (const Axis& axis : axes_of(limits, shape)) {
    if (axis.block == 0) {
      return refuse(invalid_configuration,
                    fmt::format("The block has no threads in {}. Each extent is at least 1.", axis.name));
    }
    if (axis.block > axis.max_block) {
      return refuse(
          invalid_configuration,
          fmt::format("The block has {} threads in {}, {} more than the device's {}. Use at most {} in {}.",
                      thousands(axis.block), axis.name, thousands(axis.block - axis.max_block),
                      thousands(axis.max_block), thousands(axis.max_block), axis.name));
    }
  }
  const uint64_t threads = shape.block.count();
  if (threads <= limits.max_threads_per_block) return std::nullopt;
  return refuse(
      invalid_configuration,
      fmt::format(
          "A block of {} has {} threads, {} more than the device's {}. Use a smaller block and more blocks.",
          extent_words(shape.block), thousands(threads), thousands(threads - limits.max_threads_per_block),
          thousands(limits.max_threads_per_block)));
}

std::optional<LaunchRefusal> check_grid(const DeviceLimits& limits, const LaunchShape& shape) {
  for (const Axis& axis : axes_of(limits, shape)) {
    if (axis.grid == 0) {
      return refuse(invalid_configuration,
                    fmt::format("The grid has no blocks in {}. Each extent is at least 1.", axis.name));
    }
    if (axis.grid > axis.max_grid) {
      return refuse(invalid_configuration,
                    fmt::format("The grid has {} blocks in {}, {} more than the device's {}. Use larger "
                                "blocks, another axis, or a loop in the kernel.",
                                thousands(axis.grid), axis.name, thousands(axis.grid - axis.max_grid),
                                thousands(axis.max_grid)));
    }
  }
  return std::nullopt;
}

std::optional<LaunchRefusal> check_shared(const DeviceLimits& limits, const LaunchShape& shape,
                                          const Resources* resources) {
  const uint64_t fixed = resources ? resources->shared_static_bytes : 0;
  const uint64_t total = fixed + shape.shared_dynamic_bytes;
  const std::string parts =
      fixed == 0 ? fmt::format("{} bytes of dynamic shared memory", thousands(total))
                 : fmt::format("{} bytes of shared memory ({} static and {} dynamic)", thousands(total),
                               thousands(fixed), thousands(shape.shared_dynamic_bytes));
  if (total > limits.shared_bytes_per_block_optin) {
    return refuse(invalid_value, fmt::format("A block asks for {}, {} bytes more than the {} that the device "
                                             "gives one block. Use a smaller tile.",
                                             parts, thousands(total - limits.shared_bytes_per_block_optin),
                                             thousands(limits.shared_bytes_per_block_optin)));
  }
  if (shape.shared_opt_in || total <= limits.shared_bytes_per_block) return std::nullopt;
  return refuse(
      invalid_value,
      fmt::format("A block asks for {}, {} bytes more than the {} that a kernel gets without asking. Set "
                  "cudaFuncAttributeMaxDynamicSharedMemorySize first (up to {} bytes here).",
                  parts, thousands(total - limits.shared_bytes_per_block),
                  thousands(limits.shared_bytes_per_block),
                  thousands(limits.shared_bytes_per_block_optin - fixed)));
}

bool has_registers_for(const Device& device, uint64_t threads, uint32_t registers_per_thread) {
  return occupancy_of(device, {.threads_per_block = static_cast<uint32_t>(threads),
                               .registers_per_thread = registers_per_thread})
             .limit_registers > 0;
}

std::optional<LaunchRefusal> check_registers(const Device& device, const LaunchShape& shape,
                                             const Resources& resources) {
  const uint64_t threads = shape.block.count();
  if (has_registers_for(device, threads, resources.registers_per_thread)) return std::nullopt;
  const uint32_t most = most_threads_by_registers(device, resources.registers_per_thread);
  const std::string remedy =
      most > 0 ? fmt::format("Use at most {} threads a block, or cap the registers.", thousands(most))
               : std::string("Cap the registers.");
  const DeviceLimits& limits = device.limits;
  const uint64_t needed = registers_of_block(limits, ceil_div(threads, warp_lanes),
                                             resources.registers_per_thread, limits.sub_partitions);
  return refuse(
      out_of_resources,
      fmt::format("Too many resources requested for launch: {} threads with {} registers each take {} "
                  "registers, because a warp gets them in units of {} and warps count in groups of {}; a "
                  "block may have {}. {}",
                  thousands(threads), resources.registers_per_thread, thousands(needed),
                  thousands(limits.register_allocation_unit), limits.sub_partitions,
                  thousands(limits.registers_per_block), remedy));
}

// Every block of a cooperative grid must be resident at once, or grid.sync() would wait forever.
std::optional<LaunchRefusal> check_cooperative(const Device& device, const LaunchShape& shape,
                                               const Resources* resources) {
  if (!shape.cooperative) return std::nullopt;
  if (device.compute_capability < ComputeCapability{6, 0}) {
    return refuse(not_supported, "Cooperative launches need compute capability 6.0 or later.");
  }
  if (!resources) return std::nullopt;
  const Occupancy occupancy =
      occupancy_of(device, {.threads_per_block = static_cast<uint32_t>(shape.block.count()),
                            .registers_per_thread = resources->registers_per_thread,
                            .shared_static_bytes = resources->shared_static_bytes,
                            .shared_dynamic_bytes = shape.shared_dynamic_bytes});
  const uint64_t resident = uint64_t{occupancy.active_blocks_per_sm} * device.sms;
  const uint64_t blocks = shape.grid.count();
  if (blocks <= resident) return std::nullopt;
  return refuse(too_large,
                fmt::format("A cooperative grid must be resident as a whole: {} are, {} SMs with {} each, "
                            "but the grid has {}, {} too many. Use at most {} and let each do more work.",
                            counted(resident, "block"), thousands(device.sms), occupancy.active_blocks_per_sm,
                            thousands(blocks), thousands(blocks - resident), counted(resident, "block")));
}

}  // namespace

uint32_t most_threads_by_registers(const Device& device, uint32_t registers_per_thread) {
  uint32_t most = device.limits.max_threads_per_block / warp_lanes * warp_lanes;
  while (most > 0 && !has_registers_for(device, most, registers_per_thread)) most -= warp_lanes;
  return most;
}

std::optional<LaunchRefusal> check_launch(const Device& device, const LaunchShape& shape,
                                          const Resources* resources, uint32_t max_threads) {
  if (auto refusal = check_block(device.limits, shape)) return refusal;
  if (auto refusal = check_grid(device.limits, shape)) return refusal;
  if (auto refusal = check_shared(device.limits, shape, resources)) return refusal;
  const uint64_t threads = shape.block.count();
  if (max_threads != 0 && threads > max_threads) {
    return refuse(
        invalid_value,
        fmt::format("The block has {} threads, {} more than the {} for which the kernel was compiled "
                    "(__launch_bounds__, .maxntid). Use a smaller block or compile it for larger ones.",
                    thousands(threads), thousands(threads - max_threads), thousands(max_threads)));
  }
  if (resources) {
    if (auto refusal = check_registers(device, shape, *resources)) return refusal;
  }
  return check_cooperative(device, shape, resources);
}

}  // namespace warplens
