// The same kernel by NVRTC and by clang.
#pragma once

#include <string>

#include "app/cli/shared/cli.h"
#include "core/device/device.h"

namespace warplens {

// Compiles a FILE.cu or a built-in kernel by both, runs each on the virtual GPU with the kernel's own launch,
// and prints the comparison. An error if one of them is not there, does not compile it, or the launch cannot
// be made.
Result<void> compare_compilers(const std::string& target, const Device& device, bool json, Cli& cli);

}  // namespace warplens
