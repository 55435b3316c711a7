// Computes the expected result of each built-in kernel on the CPU. Plain loops follow the kernel's own order
// of operations, so the results are equal bit for bit.
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
  std::span<std::byte> bytes;  // of a buffer, starting at the argument's offset
  ScalarArgument scalar;
};
using HostArguments = std::span<const HostArgument>;

// The first launch of a program, on the host: its arguments in the order of the kernel's parameters, then the
// arrays that it does not take. Some results depend on the grid, for example one sum for each block.
struct HostLaunch {
  HostArguments arguments;
  Dim3 grid = {1, 1, 1}, block = {1, 1, 1};
  std::span<const GlobalInit> globals = {};
};

// Does the work of the whole program. Returns false, and writes nothing, if there are too few arguments or a
// buffer is smaller than the sizes say.
using Reference = bool (*)(const HostLaunch&);

// Null if there is none with this name.
Reference find_reference(std::string_view name);

}  // namespace warplens
