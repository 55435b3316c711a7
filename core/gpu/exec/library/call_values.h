// The values that a call of a function of the driver passes, and the memory that its addresses name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/call_op.h"
#include "core/program/program.h"

namespace warplens::exec {

inline const program::CallSite& site_of(const Op* op, const Warp& warp) {
  return warp.block->program->calls[program::CallOp::of(*op).site];
}

// A word of 32 bits of a lane's argument; 0 behind its end.
inline uint32_t argument_word(const Op* op, const Warp& warp, size_t index, uint32_t word, uint32_t lane) {
  const program::SlotRange& piece = site_of(op, warp).arguments[index];
  const uint32_t words = piece.rows * piece.lane_bytes / 4;
  if (word >= words) return 0;
  const auto* row = warp.reg<uint32_t>(piece.slot);
  // A register of 64 bits has the words of a lane side by side; other values have a row for each.
  return piece.lane_bytes == 8 ? row[2 * lane + word] : row[word * warp_lanes + lane];
}

// The first 64 bits.
inline uint64_t argument(const Op* op, const Warp& warp, size_t index, uint32_t lane) {
  return argument_word(op, warp, index, 0, lane) | uint64_t{argument_word(op, warp, index, 1, lane)} << 32;
}

inline void set_result(const Op* op, const Warp& warp, uint32_t lane, uint64_t value) {
  const auto& results = site_of(op, warp).results;
  if (results.empty() || results[0].slot == no_slot) return;
  auto* words = warp.reg<uint32_t>(results[0].slot);
  words[lane] = static_cast<uint32_t>(value);
  if (results[0].rows > 1) words[warp_lanes + lane] = static_cast<uint32_t>(value >> 32);
}

// The bytes at a generic address of a lane, up to the end of its allocation. Empty if there are none.
std::span<const std::byte> bytes_at(const Warp& warp, uint32_t lane, uint64_t address);

}  // namespace warplens::exec
