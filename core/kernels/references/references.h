// What each built-in kernel should give, computed on the CPU by plain loops that follow the kernel's own
// order of operations, so that the results are equal bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/launch/launch_request.h"

namespace warplens {

// An argument in host memory.
struct HostArgument {
  std::span<std::byte> bytes;  // of a buffer, from its offset on
  ScalarArgument scalar;
};
using HostArguments = std::span<const HostArgument>;

// The first launch of a program, on the host: its arguments in the order of the kernel's parameters, then the
// arrays that it does not take. Some results depend on the grid: one sum a block, for example.
struct HostLaunch {
  HostArguments arguments;
  Dim3 grid = {1, 1, 1}, block = {1, 1, 1};
  std::span<const GlobalInit> globals = {};
};

// Does the work of the whole program. False where the arguments are not the kernel's: too few, or buffers
// smaller than the sizes say; then nothing was written.
using Reference = bool (*)(const HostLaunch&);

// Null where there is none of that name.
Reference find_reference(std::string_view name);

}  // namespace warplens
