// Where symbols live: addresses of module variables, offsets in shared, local and parameter space.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program/program.h"

namespace warplens::program {

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
  std::vector<Place> module_variables, function_variables;
  std::vector<Place> parameters;  // of the entry
  // Of a function: those whose address is taken are copied to local memory when it is entered (PTX ISA
  // 9.7.9.3). The others have the space reg.
  std::vector<Place> spilled;
};

// Lays out an entry and the functions that it calls, one layout each (they share the module's variables), and
// notes in the program what has to be allocated. Local variables of functions that are on the stack lie
// behind its base; .param variables have no place in memory.
std::vector<Layout> lay_out(const ptx::Module& module, Program& program);

}  // namespace warplens::program
