// Where compiled code finds what it reads and changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::exec::jit::x64 {

static_assert(std::is_standard_layout_v<Warp> && std::is_standard_layout_v<BlockContext> &&
              std::is_standard_layout_v<MemoryOpState> && std::is_standard_layout_v<AccessShape> &&
              std::is_standard_layout_v<Allocation>);

#define WARPLENS_OFFSET(type, member) static_cast<int32_t>(offsetof(type, member))

constexpr int32_t state_bytes = sizeof(MemoryOpState);
static_assert(sizeof(BlockCount) == 16);
// The counters that are added at once, and what is added to them, are in the same order.
static_assert(WARPLENS_OFFSET(AccessShape::Cost, sectors) == 1 &&
              WARPLENS_OFFSET(AccessShape::Cost, sectors_ideal) == 2 &&
              WARPLENS_OFFSET(AccessShape::Cost, lines) == 3);
static_assert(WARPLENS_OFFSET(MemoryOpState, requests) == 0 && WARPLENS_OFFSET(MemoryOpState, sectors) == 8 &&
              WARPLENS_OFFSET(MemoryOpState, sectors_ideal) == 16 &&
              WARPLENS_OFFSET(MemoryOpState, lines) == 24);
static_assert(WARPLENS_OFFSET(MemoryOpState, conflicts) == WARPLENS_OFFSET(MemoryOpState, wavefronts) + 8 &&
              WARPLENS_OFFSET(MemoryOpState, pattern_conflicts) ==
                  WARPLENS_OFFSET(MemoryOpState, pattern_wavefronts) + 4);

}  // namespace warplens::exec::jit::x64
