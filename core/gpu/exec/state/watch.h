// What a run tells the one who looks for mistakes in it (core/gpu/sanitize): which accesses there are, what
// orders them, and what else happens to memory. A run that nobody watches pays for none of this: the ops of
// run_watch are only there where a program was decoded for them, and the rest tests a pointer in seldom
// places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/gpu/exec/state/warp.h"
#include "core/program/op/watch_op.h"

namespace warplens::exec {

// An access of one lane that is no load or store of its warp: of a texture, a surface, a copy in bulk.
struct WatchedAccess {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  uint64_t address = 0, bytes = 0;
  const std::byte* texel = nullptr;      // in place of the address: textures and surfaces have none
  bool through_texture = false;          // need not see what the launch has written
  std::optional<uint64_t> barrier = {};  // a copy's, in shared memory: written when its phase ends
};

class Watch : public AccessRecorder {
 public:
  // The block that runs from now on.
  virtual void enter(uint64_t block, std::span<Warp> warps) = 0;
  virtual void leave(uint64_t block) = 0;
  // At the barrier `warp.barrier`: a warp has come to it, goes on from it; all who waited go on.
  virtual void arrive(const Warp& warp) = 0;
  virtual void depart(const Warp& warp) = 0;
  virtual void close(uint32_t barrier) = 0;
  // At an object in shared memory.
  virtual void meet_at_object(const Warp& warp, uint64_t address, bool arrives) = 0;
  // A copy in the background has written to shared memory.
  virtual void finish_copy(const Warp& warp, uint32_t lane, uint64_t address, uint32_t bytes) = 0;
  virtual void access(const Op& op, const Warp& warp, uint32_t lane, const WatchedAccess& what) = 0;
  // Written other than by a store.
  virtual void initialise(const Warp& warp, uint32_t lane, Space space, uint64_t address, uint64_t bytes) = 0;
  // malloc and free of kernels.
  virtual void allocate(const Op& op, const Warp& warp, uint32_t lane, uint64_t address, uint64_t bytes) = 0;
  virtual void release(uint64_t address) = 0;
  // An op of run_watch.
  virtual void note(const Op& op, const Warp& warp) = 0;
};

}  // namespace warplens::exec
