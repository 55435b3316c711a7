// Numba passes an array as seven or more numbers. The kernel's mangled name says which parameters are one
// array, and its type and dimensions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"

namespace warplens::recording {

// The parameters of an array: meminfo, parent, number of items, item size and data; then shape and strides.
constexpr size_t items_of_array = 2, item_size_of_array = 3, data_of_array = 4, shape_of_array = 5;

struct NumbaArgument {
  bool is_array = false;
  DType dtype = DType::u8;
  uint32_t dimensions = 0;
  size_t first = 0;  // index of its first parameter; the address of an array's data is the fifth
  char code = 0;     // the code of its type in the mangled name
  size_t parameters() const { return is_array ? shape_of_array + size_t{2} * dimensions : 1; }
};
// Empty if the name is not Numba's, or has unknown types.
std::vector<NumbaArgument> numba_arguments(std::string_view mangled);
// "float32"; empty for an unknown code.
std::string_view numpy_name(char code);

}  // namespace warplens::recording
