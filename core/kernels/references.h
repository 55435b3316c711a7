// What each built-in kernel should give, computed on the CPU by plain loops that follow the kernel's own
// order of operations, so that the results are equal bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/launch_request.h"

namespace warplens {

// The arguments of one launch, in the order of the kernel's parameters, with the buffers in host memory.
struct HostArgument {
  std::span<std::byte> bytes;  // of a buffer, from its offset on
  ScalarArgument scalar;
};
using HostArguments = std::span<const HostArgument>;

// Does the work of the whole grid. False where the arguments are not the kernel's: too few, or buffers
// smaller than the sizes say; then nothing was written.
using Reference = bool (*)(HostArguments);

// Null where there is none of that name.
Reference find_reference(std::string_view name);

}  // namespace warplens
