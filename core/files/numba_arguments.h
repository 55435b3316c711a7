// Numba passes an array as seven numbers and more: which parameters are one array, and of what type and
// shape, is in the kernel's mangled name.
#pragma once

#include <string_view>
#include <vector>

#include "core/launch/launch_request.h"

namespace warplens {

struct NumbaArgument {
  bool is_array = false;
  DType dtype = DType::u8;
  uint32_t dimensions = 0;
  size_t first = 0;  // of its parameters; of an array, the address of the data is the fifth
};
// Nothing where the name is not Numba's, or has types that are not known here.
std::vector<NumbaArgument> numba_arguments(std::string_view mangled);

// Buffers that are such an array get its type and shape.
void name_numba_arrays(const LaunchStep& step, std::vector<BufferSpec>& buffers);

}  // namespace warplens
