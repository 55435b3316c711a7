// The properties of a GPU on which launches, occupancy, caches and time depend. They are read from
// assets/devices/*.json. A number that no source states is empty, never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/result.h"

namespace warplens {

struct ComputeCapability {
  uint32_t major = 0, minor = 0;
  auto operator<=>(const ComputeCapability&) const = default;
  uint32_t number() const { return major * 10 + minor; }  // 8.6 → 86
};

// Limits of a compute capability (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability", and cuda_occupancy.h). All its devices have the same limits unless the device file says
// otherwise.
struct DeviceLimits {
  uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647, 65535, 65535};
  uint32_t max_warps_per_sm = 0;
  uint32_t max_blocks_per_sm = 0;
  uint32_t registers_per_sm = 0;
  uint32_t registers_per_block = 0;
  uint32_t max_registers_per_thread = 255;
  uint32_t register_allocation_unit = 256;  // registers, per warp
  uint32_t warp_allocation_granularity = 4;
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 49152;        // without opting in
  uint32_t shared_bytes_per_block_optin = 49152;  // cudaFuncAttributeMaxDynamicSharedMemorySize
  uint32_t shared_reserved_bytes_per_block = 0;
  uint32_t shared_allocation_unit = 256;  // bytes
  uint32_t sub_partitions = 4;            // warp schedulers of one SM
};

// The source that a device file states for a number: field "sms", source "NVIDIA … whitepaper".
struct FieldSource {
  std::string field, source;
};

struct Device {
  std::string id;    // file stem: "rtx_3060"
  std::string name;  // "NVIDIA GeForce RTX 3060"
  bool is_virtual = true;
  ComputeCapability compute_capability;
  uint32_t sms = 0;
  DeviceLimits limits;
  std::optional<double> boost_clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> memory_bandwidth_gb_s;
  std::optional<uint64_t> memory_bytes;
  std::optional<uint64_t> l2_bytes;
  std::optional<uint64_t> l1_bytes_per_sm;  // includes shared memory if both share one array
  std::optional<uint32_t> fp32_lanes_per_sm;
  std::optional<double> pcie_gb_s;  // one direction, host to device
  std::string notes;
  std::vector<FieldSource> sources;  // as in the device file; overridden limits as "limits.…"
};

// The source of a field, for hover texts. Empty if the file gives none, as for limits that come from
// limits_of.
std::string_view source_of(const Device& device, std::string_view field);

// The limits of a compute capability from 5.0 to 12.1. Empty for one that this program does not know.
std::optional<DeviceLimits> limits_of(ComputeCapability capability);

// Reads one device file. `text` is JSON; `file` names it in errors.
Result<Device> parse_device(std::string_view text, std::string_view file);

// All devices that ship with the program, in the order in which a picker shows them (the default, RTX 3060,
// first).
const std::vector<Device>& built_in_devices();
// Why device files are not among them: a message for each. The build fails if there are any.
const std::vector<std::string>& device_mistakes();

// Finds a device by its id, or by a part of its full name in upper or lower case ("3060", "NVIDIA H200",
// "t4"). A name that matches as a whole wins over names that contain it. No match, or several, is an error
// that lists them.
Result<Device> find_device(std::string_view name);

}  // namespace warplens
