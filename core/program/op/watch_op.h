// The ops that tell a watch (core/gpu/exec/state/watch.h) what happens.
#pragma once

#include <cstdint>

namespace warplens::program {

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

}  // namespace warplens::program
