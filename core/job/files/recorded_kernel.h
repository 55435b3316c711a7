// Makes a kernel that the window can choose from a launch of a recording. Its block and grid can be changed;
// its memory and parameters are as they were before the launch.
#pragma once

#include <memory>
#include <string>

#include "core/kernels/catalogue.h"
#include "core/recording/recording.h"

namespace warplens {

// `name` is that of the recording, for messages. The source is the file that the PTX names, if it can still
// be read; otherwise only the PTX is shown. The grid that fits has as many threads as the launch had. Errors
// say why the launch cannot be run again.
Result<std::shared_ptr<const KernelDescription>> recorded_kernel(const recording::Recording& recording,
                                                                 const recording::Event& launch,
                                                                 const std::string& name);

}  // namespace warplens
