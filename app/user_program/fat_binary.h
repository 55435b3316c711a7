// The container in which a program carries its device code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens::nvcc {

// A fat binary with one text of PTX for devices of compute capability `capability` (86 for 8.6) and later:
// the bytes of its header and of one entry are those that cuda/stand_in/driver/code/image.cpp reads.
std::string fat_binary_of(std::string_view ptx, uint32_t capability);

}  // namespace warplens::nvcc
