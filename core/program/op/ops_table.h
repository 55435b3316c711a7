// The functions that decode assigns to ops. Decode knows only their names; core/gpu/exec implements them.
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
constexpr size_t routines =
    std::array{
#define ROUTINE(name) Routine::name,
#include "core/program/op/routines.def"
#undef ROUTINE
    }
        .size();

enum class Family : uint8_t {
#define FAMILY(name) name,
#include "core/program/op/families.def"
#undef FAMILY
  none
};
constexpr auto families = static_cast<size_t>(Family::none);

// The handlers for one instruction set. Each function returns empty handlers for what it does not support.
struct OpsTable {
  std::array<Handler, routines> routine;
  std::array<Handlers (*)(const Selector&), families> family;
  Handlers (*warp)(Collective);
  Handlers (*matrix)(MatrixJob);

  Handler of(Routine name) const { return routine[static_cast<size_t>(name)]; }
  // Uses the same function for all lanes and for some.
  Handlers both(Routine name) const { return {{of(name), of(name)}}; }
};

// The family that has the handlers for the selector, if any: given by core/ptx/opcodes.def for the opcode,
// and, if its forms belong to several families, by its types and modifiers.
Family family_of(const Selector& selector);
// The handlers of that family; empty if it does not support the selector.
Handlers find_handlers(const OpsTable& table, const Selector& selector);

}  // namespace warplens::program
