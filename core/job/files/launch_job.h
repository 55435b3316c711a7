// Makes a job from a launch file: compiles its source for the device, or takes the kernel from the
// catalogue.
#pragma once

#include <stop_token>
#include <string>

#include "core/job/files/launch_file.h"

namespace warplens {

// Messages begin with `name`. Errors in a source are the compiler's, with their lines.
Result<Job> make_job(LaunchFile file, const std::string& name, const Device& device,
                     const RunOptions& options, std::stop_token stop);

// The module of a CUDA C++ source for a device, and how long it took.
struct CompiledModule {
  std::shared_ptr<const ModuleText> module;
  double compile_ms = 0;
};
Result<CompiledModule> compile_module(const std::string& source, const std::string& source_name,
                                      const Device& device, std::stop_token stop);

}  // namespace warplens
