// What decode and the launch put into every frame: registers that are the same in all lanes, or grow from
// lane to lane, and that nobody writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/program/program.h"

namespace warplens::exec::jit {

struct FrameRow {
  int64_t step = 0;                       // from lane to lane, in a whole warp
  std::optional<uint64_t> constant = {};  // its value
  std::optional<uint32_t> special = {};   // its place in Program::block_specials
};

// By slot. in_rows: the lanes of each whole warp are threads side by side in x.
using FrameRows = std::map<uint32_t, FrameRow>;
FrameRows frame_rows(const program::Program& program, bool in_rows);

}  // namespace warplens::exec::jit
