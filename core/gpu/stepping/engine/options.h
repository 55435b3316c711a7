// How a block is stepped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/gpu/exec/state/warp_state.h"
#include "core/gpu/stepping/stops/lane_bits.h"
#include "core/gpu/stepping/trace/trace_limit.h"

namespace warplens::stepping {

struct Options {
  uint32_t launch = 0;  // index of the launch in the request
  // Run the blocks before this one first, in order. Otherwise only this block runs, on the memory that its
  // launch starts with.
  bool earlier_blocks = false;
  // The length of a warp's turn in weighted instructions. Then another warp of the block has its turn. The
  // default is that of an ordinary run, in which turns are long. With 1, the turn changes at every basic
  // block.
  int64_t turn_steps = exec::longest_turn;
  Names names = {};  // the caller's names for conditions: "sum" → "%f3"

  uint64_t trace_limit = 4 * default_trace_limit;  // entries that are kept
  // Checkpoints. If there are more than this, or they have more bytes, every second one is removed.
  uint64_t spacing = 4096;  // instructions between two
  size_t max_checkpoints = 256;
  size_t max_checkpoint_bytes = size_t{160} << 20;
};

}  // namespace warplens::stepping
