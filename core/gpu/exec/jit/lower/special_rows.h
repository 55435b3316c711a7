// The registers that decode and the launch put into every frame. They are the same in all lanes, or grow by a
// fixed step from lane to lane, and are never written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/gpu/exec/jit/runtime/row_shape.h"
#include "core/program/program.h"

namespace warplens::exec::jit {

struct FrameRow {
  int64_t step = 0;  // from lane to lane of a row, in a whole warp
  RowShape rows = {};
  std::optional<uint64_t> constant = {};  // its value
  std::optional<uint32_t> special = {};   // its place in Program::block_specials
};

// By slot. `threads`: the number of lanes of each whole warp that are neighbours in x; empty if they are too
// few.
using FrameRows = std::map<uint32_t, FrameRow>;
FrameRows frame_rows(const program::Program& program, std::optional<RowShape> threads);

}  // namespace warplens::exec::jit
