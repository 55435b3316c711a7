// Where compiled code finds what it reads and changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec::jit::x64 {

static_assert(std::is_standard_layout_v<Warp> && std::is_standard_layout_v<BlockContext> &&
              std::is_standard_layout_v<MemoryOpState> && std::is_standard_layout_v<AccessShape> &&
              std::is_standard_layout_v<Allocation>);

#define WARPLENS_OFFSET(type, member) static_cast<int32_t>(offsetof(type, member))

constexpr int32_t state_bytes = sizeof(MemoryOpState);
static_assert(sizeof(BlockCount) == 16 && sizeof(AccessShape::Cost) == 3);

}  // namespace warplens::exec::jit::x64
