// The interface for observers of the memory accesses of a run.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/program.h"
#include "core/launch/footprint.h"

namespace warplens::exec {

// Receives the memory accesses of a run or of a replayed block.
class AccessRecorder {
 public:
  virtual ~AccessRecorder() = default;
  // Whether the recorder needs all loads and stores of this space. Called once for each launch, for global
  // and shared memory. A recorder that returns false may still receive some accesses.
  virtual bool listens_to(Space /*space*/) const { return true; }
  virtual void record(const Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                      const uint64_t* addresses) = 0;
  // As above for all 32 lanes, with the relative addresses of `shape` and lane 0 at `first`. In global
  // memory, all are in one allocation.
  virtual void record_shaped(const Op& op, uint32_t warp, Space space, AccessKind kind, AccessShape& shape,
                             uint64_t first) {
    std::array<uint64_t, warp_lanes> addresses{};
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = first + shape.relative[lane];
    record(op, warp, 0xffffffff, space, kind, addresses.data());
  }
  // The sectors (addresses divided by 32) that a texture instruction requests, with repetitions.
  virtual void record_texture(std::span<const uint64_t> /*sectors*/) {}
};

}  // namespace warplens::exec
