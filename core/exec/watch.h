// What a run tells the one who looks for mistakes in it (core/sanitize): which accesses there are, what
// orders them, and what else happens to memory. A run that nobody watches pays for none of this: the ops of
// run_watch are only there where a program was decoded for them, and the rest tests a pointer in seldom
// places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/exec/warp.h"

namespace warplens::exec {

// Op::bytes of an op of run_watch.
enum class WatchJob : uint8_t {
  divisor,         // a: a divisor, extra: the bytes of its lanes
  sync_before,     // the op of a collective instruction follows; this one is a copy of it
  sync_after,      // it stands in front
  fence,           // extra: 1 where it orders for other blocks too
  register_read,   // a: whether lanes have written the register `immediate` of function `state`
  register_write,  // d: the same
  register_copy,   // d takes over what a says
};

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

const Op* run_watch(const Op* op, Warp& warp);

}  // namespace warplens::exec
