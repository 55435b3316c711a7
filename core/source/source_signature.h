// What a CUDA C++ text says of its kernels: names, parameters and their types. No compiler: it reads
// declarations as people write them and leaves empty what it does not understand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"

namespace warplens {

struct SourceParameter {
  std::string name;  // empty: the declaration gives none
  bool pointer = false;
  bool to_const = false;       // const float*: the kernel only reads it
  std::optional<DType> dtype;  // of the value, or of what the pointer points to; empty: a type of its own
  uint32_t components = 1;     // float4: 4
};

struct SourceKernel {
  std::string name;
  std::vector<SourceParameter> parameters;
  uint32_t line = 0;          // of __global__, 1-based
  size_t begin = 0, end = 0;  // in the text: from __global__ to behind the body
};

// Kernels that have a body, in the order of the text.
std::vector<SourceKernel> kernels_of_source(std::string_view source);

// Comments, strings and character literals become spaces; line ends and offsets stay.
std::string without_comments(std::string_view source);

// "unsigned char" → uint8, 1; "float4" → float32, 4. Qualifiers are ignored.
struct ValueType {
  std::optional<DType> dtype;
  uint32_t components = 1;
};
ValueType value_type_of(std::string_view declaration);

// The plain name of an entry: "add" of "add" and of "_Z3addPKfS0_Pfi"; "scale" of "_ZN3our5scaleEPf".
std::string plain_entry_name(std::string_view entry);

// "i = blockIdx.x * blockDim.x + threadIdx.x": the assignments inside a kernel that read threadIdx, without
// their types. At most four.
std::vector<std::string> index_lines(std::string_view source, const SourceKernel& kernel);

}  // namespace warplens
