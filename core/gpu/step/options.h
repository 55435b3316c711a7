// How a block is stepped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/gpu/exec/state/warp.h"
#include "core/gpu/step/lane_names.h"
#include "core/gpu/step/trace.h"

namespace warplens::stepping {

struct Options {
  uint32_t launch = 0;  // which of the request's launches, from 0
  // The block runs alone on the memory that its launch starts with. With this, on the memory that the blocks
  // before it leave, which run first, in order.
  bool earlier_blocks = false;
  // What a warp may run before another one of its block has its turn, in weighted instructions. The default
  // is that of an ordinary run, in which a warp keeps its turn for long; 1: turns change at every basic
  // block.
  int64_t turn_steps = exec::longest_turn;
  Names names = {};  // the caller's own for conditions: "sum" → "%f3"

  uint64_t trace_limit = 4 * default_trace_limit;  // entries that are kept
  // Checkpoints. Whenever there are more, or they hold more bytes, every other one goes.
  uint64_t spacing = 4096;  // instructions between two
  size_t max_checkpoints = 256;
  size_t max_checkpoint_bytes = size_t{256} << 20;
};

}  // namespace warplens::stepping
