// The names of a kernel's parameters and the types of its pointers, from its source and its mangled name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::recording {

struct SourceText;

// The names in order, from a Python `def` or a CUDA C++ signature. Empty if there is neither, or if its
// syntax is not supported; a single name is empty if the parameter has none.
std::vector<std::string> parameter_names(const SourceText& source);

// The element type that a pointer parameter points to, from the kernel's mangled name: "float", 4 bytes.
// Empty unless it is a pointer to a built-in C++ type.
struct PointedType {
  std::string name;
  uint32_t bytes = 0;
};
std::optional<PointedType> pointed_type(std::string_view mangled, size_t parameter);

// The element that an access refers to: "src[1000]". Values are those of the launch's parameters, in order;
// `begin` is the address of the allocation that the access was meant for. Empty if that is not certain.
struct ElementQuery {
  std::string_view mangled;               // the kernel's name
  const std::vector<std::string>& names;  // names of its parameters in the source
  const std::vector<uint64_t>& values;    // as the kernel gets them: several for one Numba array
  uint64_t begin = 0, end = 0;            // of the allocation
  uint64_t address = 0;
};
std::string element_text(const ElementQuery& query);

}  // namespace warplens::recording
