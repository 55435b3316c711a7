// Warps whose lanes come to a barrier in parts, though its instruction is for a warp as a whole (bar.sync,
// .aligned). GPUs since Volta wait for each thread that has not exited (CUDA C++ Programming Guide,
// Independent Thread Scheduling), so lanes that exit hold up nobody. Lanes at another barrier are a fault
// here, and hang an H200.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// What a launch that lets them pass has seen: the first block of the grid that had such a warp. Its blocks
// run on several threads.
struct PartedWarps {
  std::atomic<uint64_t> place = UINT64_MAX;  // of the block in the grid; UINT64_MAX: there was none
  std::mutex mutex;                          // of what follows
  Fault fault;                               // as it would be where such a warp is a fault
  Dim3 block;

  bool any() const { return place.load() != UINT64_MAX; }
};

}  // namespace warplens::exec
