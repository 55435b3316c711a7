// Whether CUDA would accept a launch. A refusal has the error that a program would get, and what a program
// would show that does not check errors.
//
// The errors are those of the CUDA 12 runtime, read from launches on an NVIDIA H200 with runtime 12.9 under
// driver 13.0, in this order of precedence:
//   an extent of 0 or above the device's limit, too many threads   cudaErrorInvalidConfiguration
//   shared memory above 48 KiB without opting in, or above the
//   opt-in limit (static and dynamic together)                     cudaErrorInvalidValue
//   more threads than .maxntid (__launch_bounds__) allows          cudaErrorInvalidValue
//   more registers than a block may hold                           cudaErrorLaunchOutOfResources
//   a cooperative grid that is not resident as a whole             cudaErrorCooperativeLaunchTooLarge
// One error was only read in the runtime's manual, not seen on a device: a cooperative launch below compute
// capability 6.0 gives cudaErrorNotSupported. The CUDA 13 runtime gives cudaErrorInvalidValue for the first
// row.
#pragma once

#include <optional>
#include <string>

#include "core/base/dim3.h"
#include "core/device/device.h"
#include "core/device/occupancy.h"

namespace warplens {

struct LaunchShape {
  Dim3 grid, block;
  uint32_t shared_dynamic_bytes = 0;
  bool cooperative = false;
  // The program set cudaFuncAttributeMaxDynamicSharedMemorySize, as WarpLens does before each launch.
  bool shared_opt_in = true;
};

struct LaunchRefusal {
  std::string cuda_error;   // "cudaErrorInvalidConfiguration"
  std::string message;      // what is too large, by how much, and what to do
  std::string consequence;  // what a program that does not check errors would have shown
};

// The largest number of threads of a block whose warps fit in the registers: a multiple of a warp, or 0.
uint32_t most_threads_by_registers(const Device& device, uint32_t registers_per_thread);

// `resources` may be null before the kernel is compiled; then only the shape is checked. `max_threads` is
// the kernel's own .maxntid, or 0 if it has none.
std::optional<LaunchRefusal> check_launch(const Device& device, const LaunchShape& shape,
                                          const Resources* resources, uint32_t max_threads = 0);

}  // namespace warplens
