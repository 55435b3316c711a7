// The addresses of symbols: of module variables, and offsets in shared, local and parameter space.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program/program.h"

namespace warplens::program {

class Layout {
 public:
  // The address of a symbol operand (or of an address with a symbol as its base), including the offset, in
  // the state space of the symbol. Empty for functions, and for symbols without an address.
  std::optional<uint64_t> address_of(const ptx::Operand& operand) const;
  ptx::StateSpace space_of(const ptx::Operand& operand) const;

  struct Place {
    ptx::StateSpace space{};
    uint64_t address = 0;
  };
  std::vector<Place> module_variables, function_variables;
  std::vector<Place> parameters;  // of the entry
  // The parameters of a function whose address is taken: they are copied to local memory when it is entered
  // (PTX ISA 9.7.9.3). The others have the space reg.
  std::vector<Place> spilled;
};

// Lays out an entry and the functions that it calls, with a layout for each (they share the module's
// variables), and stores in the program what must be allocated. Local variables of functions that are on the
// stack follow its base; .param variables have no address in memory.
std::vector<Layout> lay_out(const ptx::Module& module, Program& program);

// The offset of each parameter of an entry, and then the bytes of all.
std::vector<uint64_t> parameter_offsets(const ptx::Function& entry);

}  // namespace warplens::program
