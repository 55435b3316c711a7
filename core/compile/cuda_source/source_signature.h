// Finds the kernels of a CUDA C++ text, with their names, parameters and types. It is not a compiler: it
// reads declarations as people usually write them, and leaves empty what it does not understand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"

namespace warplens {

struct SourceParameter {
  std::string name;  // empty if the declaration gives none
  bool pointer = false;
  bool to_const = false;       // as in const float*: the kernel only reads it
  std::optional<DType> dtype;  // of the value, or of the pointer's target; empty for other types
  uint32_t components = 1;     // 4 for float4
};

struct SourceKernel {
  std::string name;
  std::vector<SourceParameter> parameters;
  uint32_t line = 0;          // of __global__, counted from 1
  size_t begin = 0, end = 0;  // offsets in the text, from __global__ to the end of the body
};

// The kernels that have a body, in the order of the text.
std::vector<SourceKernel> kernels_of_source(std::string_view source);

// Replaces comments, strings and character literals by spaces. Line ends and offsets stay the same.
std::string without_comments(std::string_view source);

// "unsigned char" → uint8, 1; "float4" → float32, 4. Qualifiers are ignored.
struct ValueType {
  std::optional<DType> dtype;
  uint32_t components = 1;
};
ValueType value_type_of(std::string_view declaration);

// The plain name of an entry: "add" for "add" and "_Z3addPKfS0_Pfi", "scale" for "_ZN3our5scaleEPf".
std::string plain_entry_name(std::string_view entry);

// The assignments in a kernel that read threadIdx, without their types: "i = blockIdx.x * blockDim.x +
// threadIdx.x". At most four.
std::vector<std::string> index_lines(std::string_view source, const SourceKernel& kernel);

}  // namespace warplens
