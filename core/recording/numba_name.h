// Numba passes an array as seven numbers and more: which parameters are one array, and of what type and
// dimensions, is in the kernel's mangled name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"

namespace warplens::recording {

// Of an array's parameters: meminfo, parent, number of items, item size and data; then shape and strides.
constexpr size_t items_of_array = 2, item_size_of_array = 3, data_of_array = 4, shape_of_array = 5;

struct NumbaArgument {
  bool is_array = false;
  DType dtype = DType::u8;
  uint32_t dimensions = 0;
  size_t first = 0;  // of its parameters; of an array, the address of the data is the fifth
  char code = 0;     // of its type in the name
  size_t parameters() const { return is_array ? shape_of_array + size_t{2} * dimensions : 1; }
};
// Nothing where the name is not Numba's, or has types that are not known here.
std::vector<NumbaArgument> numba_arguments(std::string_view mangled);
// "float32"; empty for a code that is not known.
std::string_view numpy_name(char code);

}  // namespace warplens::recording
