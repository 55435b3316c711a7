#include "core/gpu/machine/no_memory.h"

#include <fmt/format.h>

#include "core/program/program.h"

namespace warplens {

namespace {

std::string size_text(uint64_t bytes) {
  if (bytes < uint64_t{1} << 20) return fmt::format("{} bytes", bytes);
  return fmt::format("{} MiB", ceil_div(bytes, uint64_t{1} << 20));
}

}  // namespace

Error no_memory_for(const exec::GridLaunch& launch, const std::string& entry) {
  const program::Program& program = *launch.program;
  const uint64_t threads = launch.block.count(), warps = ceil_div(threads, warp_lanes);
  const uint64_t local = uint64_t{program.local_bytes} + program.stack_bytes;
  const uint64_t block = warps * (warp_lanes * local + program.frame_bytes) + launch.shared_bytes;
  return failed(fmt::format(
      "There is not enough memory on this machine to run {} on the virtual GPU. Each block that is under way "
      "takes {}: it has {} threads, with {} of local memory each, and {} of shared memory. Choose smaller "
      "blocks, less local memory or smaller buffers{}.",
      entry, size_text(block), threads, size_text(local), size_text(launch.shared_bytes),
      launch.watch != nullptr ? ", or have fewer accesses watched (--sanitize memory or off)" : ""));
}

}  // namespace warplens
