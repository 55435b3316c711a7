// Buffers of a Numba kernel, whose mangled name says which parameters are one array.
#pragma once

#include <vector>

#include "core/launch/launch_request.h"
#include "core/recording/numba_name.h"

namespace warplens {

// Buffers that are such an array get its type and shape.
void name_numba_arrays(const LaunchStep& step, std::vector<BufferSpec>& buffers);

}  // namespace warplens
