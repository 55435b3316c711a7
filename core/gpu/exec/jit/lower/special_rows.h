// What decode and the launch put into every frame: registers that are the same in all lanes, or grow from
// lane to lane, and that nobody writes.
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

// By slot. threads: which lanes of each whole warp are side by side in x; nothing: too few.
using FrameRows = std::map<uint32_t, FrameRow>;
FrameRows frame_rows(const program::Program& program, std::optional<RowShape> threads);

}  // namespace warplens::exec::jit
