// Would CUDA accept this launch? Each refusal carries the error a program would get and what an unchecked one
// would show.
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
};

struct LaunchRefusal {
  std::string cuda_error;   // "cudaErrorInvalidConfiguration"
  std::string message;      // what is too large, by how much, and what to do
  std::string consequence;  // what a program that does not check errors would have shown
};

// `resources` may be null before the kernel is compiled: then only the shape is checked. `max_threads` is the
// kernel's own .maxntid (0: none).
std::optional<LaunchRefusal> check_launch(const Device& device, const LaunchShape& shape,
                                          const Resources* resources, uint32_t max_threads = 0);

}  // namespace warplens
