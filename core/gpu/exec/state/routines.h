// The functions of core/program/op/routines.def, in its order.
#pragma once

#include "core/gpu/exec/state/program.h"
#include "core/program/op/ops_table.h"

namespace warplens::exec {

#define ROUTINE(name) const Op* run_##name(const Op* op, Warp& warp);
#include "core/program/op/routines.def"
#undef ROUTINE

constexpr std::array<Handler, routines> all_routines{
#define ROUTINE(name) &run_##name,
#include "core/program/op/routines.def"
#undef ROUTINE
};

}  // namespace warplens::exec
