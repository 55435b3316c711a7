// Buffers of a Numba kernel. Its mangled name says which parameters together are one array.
#pragma once

#include <vector>

#include "core/launch/launch_request.h"
#include "core/recording/numba_name.h"

namespace warplens {

// Sets the type and shape of buffers that are such an array.
void name_numba_arrays(const LaunchStep& step, std::vector<BufferSpec>& buffers);

}  // namespace warplens
