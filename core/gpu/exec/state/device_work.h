// What the blocks of a grid give to the device: kernels, copies and fills (CUDA C++ Programming Guide, "CUDA
// Dynamic Parallelism"). They begin when the grid has ended, in the order of the blocks and of the calls in
// each block. CUDA allows this order, since a kernel may never count on another to run beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/dim3.h"

namespace warplens::exec {

// cudaLimitDevRuntimePendingLaunchCount, the default. It is what limits the depth too: an H200 with CUDA 13.0
// has no other limit, though the guide names 24.
constexpr uint32_t most_pending = 2048;

// The values of cudaError_t that these calls give.
enum class DeviceError : int32_t {
  none = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_configuration = 9,
  invalid_memcpy_direction = 21,
  launch_pending_count_exceeded = 69,
  invalid_device_function = 98,
  invalid_device = 101,
  invalid_resource_handle = 400,
  launch_out_of_resources = 701,
  not_supported = 801,
};
// "cudaErrorInvalidValue" and "invalid argument", for the errors above and no others.
std::string_view name_of(DeviceError error);
std::string_view description_of(DeviceError error);

struct DeviceWork {
  enum class Kind : uint8_t { kernel, copy, fill } kind = Kind::kernel;
  bool tail = false;  // cudaStreamTailLaunch: after all others of the grid, and what they launch
  // A kernel: its index among the functions of the module.
  uint32_t function = 0;
  Dim3 grid = {}, block = {};
  uint32_t shared_bytes = 0;  // dynamic
  std::vector<std::byte> parameters = {};
  // A copy or a fill: `depth` slices of `height` rows of `width` bytes.
  uint64_t to = 0, from = 0, width = 0, height = 1, depth = 1;
  uint64_t to_pitch = 0, from_pitch = 0, to_slice = 0,
           from_slice = 0;  // bytes from row to row, slice to slice
  std::byte value{};
};

// What is known of one block.
struct DeviceWorks {
  std::vector<DeviceWork> given;            // in the order of the calls
  std::map<uint64_t, DeviceWork> prepared;  // by the address of their parameters: launches that may follow
  std::map<uint32_t, DeviceError> errors;   // by thread: what cudaGetLastError gives
  std::set<uint64_t> handles;               // of its streams and events
  uint64_t next_handle = 0x100;
};

// What cudaFuncGetAttributes says of a kernel, as the members of cudaFuncAttributes that all versions of CUDA
// have.
struct KernelFacts {
  uint64_t shared_bytes = 0, constant_bytes = 0, local_bytes = 0;  // static; of a thread
  int32_t most_threads = 0, registers = 0, ptx_version = 0, binary_version = 0, cache_mode = 0;
  int32_t most_dynamic_shared_bytes = 0, carveout = -1;
};

// What the calls of a kernel ask of the engine or the driver, which runs the grid.
class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  // Whether a kernel can be launched like this.
  virtual DeviceError check(const DeviceWork& kernel) = 0;
  // The value of a cudaDeviceAttr; empty if there is none with this number.
  virtual std::optional<int32_t> attribute(int32_t number) = 0;
  // Of a kernel by its index in the module; empty if it cannot be run.
  virtual std::optional<KernelFacts> facts(uint32_t function) = 0;
  // How many blocks of it an SM holds.
  virtual std::optional<uint32_t> active_blocks(uint32_t function, uint32_t threads,
                                                uint64_t dynamic_bytes) = 0;

  uint32_t depth = 0;  // of the grid that runs; 0: the host launched it
  // Launches of all grids that have not ended with all that they launched.
  uint32_t pending = 0, pending_limit = most_pending;
};

// The work of a grid that has ended, as far as it was run.
struct WorkLevel {
  std::vector<DeviceWork> works;
  size_t next = 0;
};
// The next work, depth first, and the depth to which it belongs; null if all has ended. Not by recursion: a
// chain may have 2,048 grids.
const DeviceWork* next_work(std::vector<WorkLevel>& levels, DeviceRuntime& runtime);

// Puts the work of the blocks in order: by block, then by call, with what runs at the end last.
std::vector<DeviceWork> in_order(std::map<uint64_t, std::vector<DeviceWork>>&& by_block);

class Memory;
struct Allocation;
struct ChangedBytes {
  const Allocation* allocation = nullptr;
  uint64_t offset = 0, bytes = 0;
};
// Makes a copy or a fill. What it changed is reported as one piece. Nothing if its memory is gone.
std::optional<ChangedBytes> perform(const DeviceWork& work, const Memory& memory);

}  // namespace warplens::exec
