// Where symbols live: addresses of module variables, offsets in shared, local and parameter space.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/program.h"

namespace warplens::ir {

class Layout {
 public:
  // The address that a symbol operand (or an address with a symbol as its base) stands for, offset included:
  // of the state space that the symbol is in. Empty: functions, and what has no address.
  std::optional<uint64_t> address_of(const ptx::Operand& operand) const;
  ptx::StateSpace space_of(const ptx::Operand& operand) const;

  struct Place {
    ptx::StateSpace space{};
    uint64_t address = 0;
  };
  std::vector<Place> module_variables, function_variables, parameters;
};

// Lays out one entry of a module, and notes in the program what has to be allocated.
Layout lay_out(const ptx::Module& module, const ptx::Function& function, Program& program);

}  // namespace warplens::ir
