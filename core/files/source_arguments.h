// The arrays of a recorded launch in CUDA C++ as the program declares them: their names and element types.
#pragma once

#include <string_view>
#include <vector>

#include "core/launch/launch_request.h"

namespace warplens {

// An array that a pointer parameter has the address of gets the type that the pointer is to, and, if its
// source is known, the parameter's name. `source` is the text with the kernel, or empty: then the types are
// those of the mangled name. Arrays that do not consist of such elements stay bytes.
void name_source_arrays(const LaunchStep& step, std::string_view source, std::vector<BufferSpec>& buffers);

}  // namespace warplens
