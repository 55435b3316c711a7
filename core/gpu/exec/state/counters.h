// The counters of a worker while it runs a program: per basic block, and per memory instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/dim3.h"
#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/program.h"

namespace warplens::exec {

struct Allocation;

// How often a basic block ran, counted by warps and by lanes.
struct BlockCount {
  uint64_t warps = 0, threads = 0;
};

// How often atomics meet at a word of global memory. Words that are 16 KiB apart share a cell.
struct AtomicHeat {
  static constexpr size_t cells = 4096;
  std::array<uint64_t, cells> lanes{}, requests{};
  std::array<uint64_t, cells> seen{};  // the last request that touched the cell
};

// The state of one memory instruction: its counters, and what makes its next execution fast.
// Aligned so that compiled code adds to four counters within one line of the cache.
struct alignas(32) MemoryOpState {
  uint64_t requests = 0, sectors = 0, sectors_ideal = 0, lines = 0, wavefronts = 0, conflicts = 0;
  std::shared_ptr<AtomicHeat> heat;        // for global atomics; null if not requested
  bool merges = false;                     // CountedOp::merges
  const Allocation* allocation = nullptr;  // the allocation that it used last
  // Shared memory: the pattern of addresses relative to the first lane's word, and its wavefronts and
  // conflicts.
  std::array<uint32_t, warp_lanes> pattern{};
  uint32_t pattern_mask = 0, pattern_wavefronts = 0, pattern_conflicts = 0;
  LearntShape shape;  // for loads and stores of global and shared memory
  // Shared memory: `pattern` is that of the shape, with the first address at this offset in a word.
  bool shape_counted = false;
  uint8_t shape_phase = 0;
};

}  // namespace warplens::exec
