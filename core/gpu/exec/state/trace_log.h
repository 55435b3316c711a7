// Where a traced run (core/gpu/step/run_tracer.h) notes the instructions that it runs, for handlers and for
// compiled code.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/program.h"
#include "core/launch/footprint.h"

namespace warplens::program {
struct Program;
}

namespace warplens::exec {

struct Warp;

// Instructions that a warp ran one behind the other, of consecutive numbers. Only the last of them may have a
// guard or access memory. The members are not initialised, since a log has room for many.
struct TracedRun {
  static constexpr uint32_t warp_bits = 5, most_instructions = 1u << 11;

  uint32_t first;     // number of the first instruction
  uint32_t active;    // lanes of the path
  uint32_t executed;  // of the last one: the active lanes for which its guard holds; of the others all do
  uint16_t warp_and_count;
  uint8_t bytes;  // of a lane's memory access by the last one; 0: it has none
  Space space;

  uint32_t warp() const { return warp_and_count & ((1u << warp_bits) - 1); }
  uint32_t count() const { return (warp_and_count >> warp_bits) + 1u; }
  static uint16_t pack(uint32_t warp, uint32_t count) {
    return static_cast<uint16_t>(warp | (count - 1) << warp_bits);
  }
};
static_assert(sizeof(TracedRun) == 16);

struct TraceLog {
  TracedRun *at = nullptr, *end = nullptr;  // where the next one comes; at[-1] is the last one
  int64_t left = 0;                         // instructions that may still be noted
  // Notes a run for which `left` or the room is too small. False: an exception waits in the block.
  bool (*add)(TraceLog& log, const Warp& warp, const TracedRun& run) noexcept = nullptr;
  // The program whose copy runs: its ops have the handlers that note nothing.
  const program::Program* untraced = nullptr;
  // Somebody else has to hear of accesses to these spaces.
  bool global = false, shared = false;
};

}  // namespace warplens::exec
