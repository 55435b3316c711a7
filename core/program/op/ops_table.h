// The functions that decode gives to ops. Decode knows them by name only; core/gpu/exec has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/program/op/collective_op.h"
#include "core/program/op/matrix_op.h"
#include "core/program/op/selector.h"

namespace warplens::program {

enum class Routine : uint8_t {
#define ROUTINE(name) name,
#include "core/program/op/routines.def"
#undef ROUTINE
};
constexpr size_t routines = 0
#define ROUTINE(name) +1
#include "core/program/op/routines.def"
#undef ROUTINE
    ;

// One instruction set's handlers. Each function returns empty handlers for what it does not know.
struct OpsTable {
  std::array<Handler, routines> routine;
  Handlers (*integer)(const Selector&);
  Handlers (*logic)(const Selector&);
  Handlers (*floating)(const Selector&);
  Handlers (*compare)(const Selector&);
  Handlers (*convert)(const Selector&);
  Handlers (*move)(const Selector&);
  Handlers (*memory)(const Selector&);
  Handlers (*atomic)(const Selector&);
  Handlers (*carry)(const Selector&);
  Handlers (*bits)(const Selector&);
  Handlers (*half)(const Selector&);
  Handlers (*convert_half)(const Selector&);
  Handlers (*atomic_half)(const Selector&);
  Handlers (*warp)(Collective);
  Handlers (*matrix)(MatrixJob);

  Handler of(Routine name) const { return routine[static_cast<size_t>(name)]; }
  // The same function for all lanes and for some.
  Handlers both(Routine name) const { return {{of(name), of(name)}}; }
};

// Any family's handler for the selector; empty where none knows it.
Handlers find_handlers(const OpsTable& table, const Selector& selector);

}  // namespace warplens::program
