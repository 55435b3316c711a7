// Warps whose lanes arrive at a barrier in parts, although its instruction is for a whole warp (bar.sync,
// .aligned). GPUs since Volta wait for each thread that has not exited (CUDA C++ Programming Guide,
// Independent Thread Scheduling), so exited lanes delay no other lane. Lanes at another barrier are a fault
// here, and hang an H200.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// Recorded by a launch that lets such warps pass: the first block of the grid that had one. The blocks of a
// launch run on several threads.
struct PartedWarps {
  std::atomic<uint64_t> place = UINT64_MAX;  // index of the block in the grid; UINT64_MAX: there was none
  std::mutex mutex;                          // protects the members below
  Fault fault;                               // the fault that such a warp would cause otherwise
  Dim3 block;

  bool any() const { return place.load() != UINT64_MAX; }
};

}  // namespace warplens::exec
