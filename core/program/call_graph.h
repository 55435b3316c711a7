// Which functions an entry can reach, and which of them can be entered again before they have returned.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ptx/tree.h"

namespace warplens::program {

// What the driver provides in place of a definition (CUDA C++ Programming Guide, "Formatted Output", …).
enum class LibraryFunction : uint8_t { none, vprintf, malloc, free, assert_fail };
// Of a function without a body.
LibraryFunction library_function(std::string_view name);

// Far more than programs have; a text made to exhaust memory stops here.
constexpr size_t max_functions = 4096;

struct CallGraph {
  // In module.functions; the entry first. Those without a body are not here.
  std::vector<uint32_t> functions;
  // Per function of the module: its place in `functions`, or no_function.
  std::vector<uint32_t> place;
  std::vector<std::vector<uint32_t>> callees;  // by place, each once
  std::vector<std::vector<bool>> reaches;      // [caller][callee]: over one call or more
  std::vector<uint32_t> address_taken;         // places of functions that a register may hold

  bool is_complete = true;  // false: too many functions, and `callees` and `reaches` are empty

  bool is_recursive(uint32_t function) const { return reaches[function][function]; }
};

CallGraph call_graph_of(const ptx::Module& module, uint32_t entry);

}  // namespace warplens::program
