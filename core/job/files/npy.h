// NumPy's file format for one array (.npy, version 1.0), as numpy.load reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/dtype.h"

namespace warplens {

// The head of such a file, for an array in C order. The bytes of the elements, little-endian, follow it.
std::string npy_head(DType dtype, std::span<const uint64_t> shape);

}  // namespace warplens
