// Names of a kernel's parameters and types of its pointers, as its source and its mangled name have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::recording {

struct SourceText;

// In order, out of a Python `def` or a signature in CUDA C++. Empty where neither is there or it is written
// in a way that is not known here; a single name is empty where a parameter has none.
std::vector<std::string> parameter_names(const SourceText& source);

// Elements that a parameter of a kernel's mangled name points to: "float", 4 bytes. Nothing where it is no
// pointer to one of C++'s own types.
struct PointedType {
  std::string name;
  uint32_t bytes = 0;
};
std::optional<PointedType> pointed_type(std::string_view mangled, size_t parameter);

// Where an access lies: "src[1000]". Values are those of the launch's parameters, in order; `begin` is the
// address of the allocation that the access was meant for. Empty where that is not certain.
struct ElementQuery {
  std::string_view mangled;               // the kernel's name
  const std::vector<std::string>& names;  // of its parameters as people wrote them
  const std::vector<uint64_t>& values;    // as the kernel gets them: an array of Numba's is several
  uint64_t begin = 0, end = 0;            // of the allocation
  uint64_t address = 0;
};
std::string element_text(const ElementQuery& query);

}  // namespace warplens::recording
