// The ops that tell a watch (core/gpu/exec/state/watch.h) what happens.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

enum class WatchJob : uint8_t {
  divisor,
  sync_before,  // the op of a collective instruction follows; this one is a copy of it
  sync_after,   // this one follows it
  fence,
  register_read,
  register_write,
  register_copy,
  register_and,
};

// Of an op of Routine::watch. All other fields belong to the op that follows, or to the collective.
inline WatchJob watch_job(const Op& op) { return static_cast<WatchJob>(op.bytes); }
inline void set_watch_job(Op& op, WatchJob job) { op.bytes = static_cast<uint8_t>(job); }

struct WatchedDivisor {
  uint32_t slot = 0;
  uint8_t bytes = 0;  // of a lane

  static WatchedDivisor of(const Op& op) { return {op.a, op.extra}; }
  void write(Op& op) const {
    set_watch_job(op, WatchJob::divisor);
    op.a = slot;
    op.extra = bytes;
  }
};

struct WatchedFence {
  bool for_device = false;  // also orders accesses for other blocks

  static WatchedFence of(const Op& op) { return {op.extra != 0}; }
  void write(Op& op) const {
    set_watch_job(op, WatchJob::fence);
    op.extra = for_device ? 1 : 0;
  }
};

struct WatchedRead {
  uint32_t written = 0;  // slot of a predicate: the lanes that have written the register
  uint32_t function = 0, reg = 0;

  static WatchedRead of(const Op& op) { return {op.a, op.state, static_cast<uint32_t>(op.immediate)}; }
  void write(Op& op) const {
    set_watch_job(op, WatchJob::register_read);
    op.a = written;
    op.state = function;
    op.immediate = reg;
  }
};

// register_write, register_copy: what is computed is undefined in the same lanes as its source, and
// register_and: in those of this source as well.
struct WatchedWrite {
  uint32_t written = 0;     // slot, as of a read
  uint32_t from = no_slot;  // the slot of the source; no_slot: register_write
  bool also = false;        // register_and

  static WatchedWrite of(const Op& op) {
    const WatchJob job = watch_job(op);
    return {op.d, job == WatchJob::register_write ? no_slot : op.a, job == WatchJob::register_and};
  }
  void write(Op& op) const {
    set_watch_job(op, from == no_slot ? WatchJob::register_write
                      : also          ? WatchJob::register_and
                                      : WatchJob::register_copy);
    op.d = written;
    if (from != no_slot) op.a = from;
  }
};

}  // namespace warplens::program
