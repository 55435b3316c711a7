// From a launch file to a job: compiles its source for the device, or takes the kernel out of the catalogue.
#pragma once

#include <stop_token>
#include <string>

#include "core/files/launch_file.h"

namespace warplens {

// `name` begins messages. Errors of a source are those of the compiler, with their lines.
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
