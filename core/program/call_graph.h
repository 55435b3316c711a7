// Which functions an entry can reach, and which of them can be entered again before they return.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ptx/tree.h"

namespace warplens::program {

// Functions that the driver provides without a definition (CUDA C++ Programming Guide, "Formatted Output",
// …).
enum class LibraryFunction : uint8_t { none, vprintf, malloc, free, assert_fail };
// The library function with this name, for functions without a body.
LibraryFunction library_function(std::string_view name);

// Far more than real programs have; it stops texts that are made to exhaust memory.
constexpr size_t max_functions = 4096;

struct CallGraph {
  // Indices in module.functions; the entry first. Functions without a body are not included.
  std::vector<uint32_t> functions;
  // For each function of the module: its index in `functions`, or no_function.
  std::vector<uint32_t> place;
  std::vector<std::vector<uint32_t>> callees;  // by place, each once
  std::vector<std::vector<bool>> reaches;      // [caller][callee]: through one call or more
  std::vector<uint32_t> address_taken;         // indices of functions whose address a register may hold

  bool is_complete = true;  // false if there are too many functions; then `callees` and `reaches` are empty

  bool is_recursive(uint32_t function) const { return reaches[function][function]; }
};

CallGraph call_graph_of(const ptx::Module& module, uint32_t entry);

}  // namespace warplens::program
