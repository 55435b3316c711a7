// The arrays of a block's shared memory by name, with their extents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/stepping/variables/variable_table.h"

namespace warplens::stepping {

struct SharedArray {
  std::string name;                 // as in the source, if that is known
  uint64_t address = 0, bytes = 0;  // in shared memory
  std::string element;              // the type of an element; empty if it is not known
  uint64_t element_bytes = 1;
  bool is_float = false, is_signed = false;
  bool is_scalar = false;         // a single value, not an array
  bool is_number = false;         // its elements are numbers, not structures or bytes of an unknown type
  std::vector<uint64_t> extents;  // outermost first, of elements
};

// From the debug information if it has them, else from the declaration in `source` (compilers leave out some
// arrays), else as bytes. `shared_bytes` are those of the block, including the dynamic part.
std::vector<SharedArray> shared_arrays_of(const ProgramTable& program, const VariableTable& variables,
                                          std::string_view source, uint64_t shared_bytes);

// "tile" of "_ZZ6kernelE4tile". Other names are returned as they are.
std::string_view plain_symbol(std::string_view symbol);

}  // namespace warplens::stepping
