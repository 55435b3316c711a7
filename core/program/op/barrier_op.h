// The op of a barrier, PTX ISA 9.7.13.1.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

constexpr uint32_t barriers_per_block = 16;

enum class BarrierKind : uint8_t { sync, arrive, popc, all, any };

// Of a barrier's op: a the number, b the threads or no_slot (0 at run time: all, as without it)
// (flag_constant: the PTX gives them as numbers), c the predicate of bar.red (flag_negated), d and state
// where its result goes, extra the BarrierKind.
constexpr uint16_t flag_aligned = 256;  // all lanes of the warp must be at this very instruction

}  // namespace warplens::program
