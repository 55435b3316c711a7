// The code of a request on a device: machine code that nvJitLink made, or else the PTX itself.
#pragma once

#include <string>

#include "core/device/occupancy.h"
#include "core/launch/launch_request.h"
#include "cuda/driver/context.h"

namespace warplens::cuda {

struct Module {
  Owned<CUmodule> handle;
  std::string code;  // what was loaded, for people
};

// A driver refuses PTX of a newer toolkit, but runs machine code of its own major version, so that comes
// first. Where there is no linker, or the driver does not take what it made, the driver's own compiler gets
// the PTX.
Result<Module> load_module(const Context& context, const LaunchRequest& request);

struct Function {
  CUfunction handle = nullptr;
  Resources resources;              // as the driver says
  uint32_t max_threads = 0;         // of a block
  std::optional<size_t> arguments;  // empty: the driver is too old to say
  uint32_t max_active_blocks_per_sm = 0;
};
// Looks the launch's entry up and lets it have its dynamic shared memory.
Result<Function> find_function(const Context& context, const Module& module, const LaunchStep& launch);

// Whether the PTX has variables that a kernel can change: each run then needs the module anew.
bool has_writable_variables(std::string_view ptx);

}  // namespace warplens::cuda
