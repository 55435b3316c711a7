// The parameters of a recorded launch as people read them: Numba's arrays with shape instead of seven
// numbers, pointers with the allocation that they point into, numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/recording/recording.h"

namespace warplens::recording {

struct ShownArgument {
  enum class Kind : uint8_t { array, pointer, number, bytes } kind = Kind::number;
  std::string name;     // as the source has it; empty where that is not known
  std::string element;  // "float32"; empty where the type is not certain
  uint32_t element_bytes = 0;
  std::vector<uint64_t> shape;    // of an array
  std::vector<int64_t> strides;   // in bytes
  bool contiguous = false;        // an array's elements lie one behind the other, the last index fastest
  uint64_t address = 0;           // of an array or pointer
  std::optional<uint64_t> bytes;  // that it takes; of a pointer, to the end of its allocation
  std::string allocation;         // that it points into: "array 3"
  uint64_t offset = 0;            // in that allocation
  std::string value;              // of a number; bytes in hexadecimal digits
  size_t first = 0, count = 1;    // parameters of the launch that it takes
};
// "img  float32 (1080, 1920)  contiguous, 7.9 MiB".
std::string text_of(const ShownArgument& argument);

struct SourceText;
// Their names in the kernel's source; nothing where the number does not fit.
void name_arguments(std::vector<ShownArgument>& arguments, const SourceText& source);

// Empty where the launch was not recorded. Never throws; parameters that fit no rule are bytes.
std::vector<ShownArgument> arguments_of(const Recording& recording, const Event& launch);

}  // namespace warplens::recording
