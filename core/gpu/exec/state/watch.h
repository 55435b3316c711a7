// The events of a run that a checker for mistakes needs (core/gpu/sanitize): the accesses, what orders them,
// and other changes of memory. A run without a checker does not pay for this: ops of run_watch are only in
// programs that were decoded for them, and all other places test a pointer, in rare cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/gpu/exec/state/observer.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/watch_op.h"

namespace warplens::exec {

// An access of one lane that is not a load or store of its warp: by a texture, surface or bulk copy
// instruction.
struct WatchedAccess {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  uint64_t address = 0, bytes = 0;
  const std::byte* texel = nullptr;      // used instead of the address: textures and surfaces have none
  bool through_texture = false;          // the read may miss what the launch has written
  std::optional<uint64_t> barrier = {};  // for a copy: its mbarrier; the data is written when its phase ends
};

class Watch : public AccessRecorder {
 public:
  // The worker runs this block from now on, or no longer.
  virtual void enter(uint64_t block, std::span<Warp> warps) = 0;
  virtual void leave(uint64_t block) = 0;
  // At the barrier `warp.barrier`: a warp arrives; a warp continues; all waiting warps continue.
  virtual void arrive(const Warp& warp) = 0;
  virtual void depart(const Warp& warp) = 0;
  virtual void close(uint32_t barrier) = 0;
  // Synchronisation at an object in shared memory.
  virtual void meet_at_object(const Warp& warp, uint64_t address, bool arrives) = 0;
  // An asynchronous copy has written to shared memory.
  virtual void finish_copy(const Warp& warp, uint32_t lane, uint64_t address, uint32_t bytes) = 0;
  virtual void access(const Op& op, const Warp& warp, uint32_t lane, const WatchedAccess& what) = 0;
  // Memory is initialised by something other than a store.
  virtual void initialise(const Warp& warp, uint32_t lane, Space space, uint64_t address, uint64_t bytes) = 0;
  // malloc and free of kernels.
  virtual void allocate(const Op& op, const Warp& warp, uint32_t lane, uint64_t address, uint64_t bytes) = 0;
  virtual void release(uint64_t address) = 0;
  // Runs for each op of run_watch.
  virtual void note(const Op& op, const Warp& warp) = 0;
};

}  // namespace warplens::exec
