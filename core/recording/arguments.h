// The parameters of a recorded launch as people read them: Numba's arrays with a shape in place of seven
// numbers, pointers with the allocation that they point into, and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/recording/recording.h"

namespace warplens::recording {

struct ShownArgument {
  enum class Kind : uint8_t { array, pointer, number, bytes } kind = Kind::number;
  std::string name;     // as in the source; empty if that is not known
  std::string element;  // "float32"; empty if the type is not certain
  uint32_t element_bytes = 0;
  std::vector<uint64_t> shape;    // of an array
  std::vector<int64_t> strides;   // in bytes
  bool contiguous = false;        // the elements of an array are contiguous, with the last index fastest
  uint64_t address = 0;           // of an array or pointer
  std::optional<uint64_t> bytes;  // its size; for a pointer, up to the end of its allocation
  std::string allocation;         // that it points into: "array 3"
  uint64_t offset = 0;            // in that allocation
  std::string value;              // of a number; otherwise bytes in hexadecimal digits
  size_t first = 0, count = 1;    // the parameters of the launch that it consists of
};
// "img  float32 (1080, 1920)  contiguous, 7.9 MiB".
std::string text_of(const ShownArgument& argument);

struct SourceText;
// Sets their names from the kernel's source; does nothing if the number does not match.
void name_arguments(std::vector<ShownArgument>& arguments, const SourceText& source);

// Empty if the launch was not recorded. Never throws; parameters that match no rule are shown as bytes.
std::vector<ShownArgument> arguments_of(const Recording& recording, const Event& launch);

}  // namespace warplens::recording
