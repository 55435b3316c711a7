// The code of a request on a device: machine code from ptxas, or the PTX itself.
#pragma once

#include <string>

#include "core/device/occupancy.h"
#include "core/launch/launch_request.h"
#include "cuda/device/driver/context.h"

namespace warplens::cuda {

struct Module {
  Owned<CUmodule> handle;
  std::string code;  // what was loaded, for people
};

// A driver refuses PTX of a newer toolkit, but runs machine code of its own major version. So machine code
// is tried first, of ptxas 13, then of 12.9. If there is no ptxas, or the driver does not accept its code,
// the driver's own compiler gets the PTX.
Result<Module> load_module(const Context& context, const LaunchRequest& request);

struct Function {
  CUfunction handle = nullptr;
  Resources resources;              // from the driver
  uint32_t max_threads = 0;         // of a block
  std::optional<size_t> arguments;  // empty if the driver is too old to tell
  uint32_t max_active_blocks_per_sm = 0;
};
// Finds the launch's entry, and allows it the dynamic shared memory of the launch.
Result<Function> find_function(const Context& context, const Module& module, const LaunchStep& launch);

// Whether the PTX has variables that a kernel can change. Then the module must be loaded again for each run.
bool has_writable_variables(std::string_view ptx);

}  // namespace warplens::cuda
