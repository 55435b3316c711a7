// Where a traced run (core/gpu/stepping/trace/run_tracer.h) records the instructions that it runs. Both
// handlers and compiled code use it.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/program.h"
#include "core/gpu/exec/state/traced_run.h"
#include "core/launch/footprint.h"

namespace warplens::program {
struct Program;
}

namespace warplens::exec {

struct Warp;

struct TraceLog {
  TracedRun *at = nullptr, *end = nullptr;  // at: the next entry to write; at[-1] is the last one
  int64_t left = 0;                         // instructions that may still be recorded
  // Adds a run for which `left` or the room is too small. False: the block holds an exception.
  bool (*add)(TraceLog& log, const Warp& warp, const TracedRun& run) noexcept = nullptr;
  // The program that the running one is a copy of: its ops have handlers that record nothing.
  const program::Program* untraced = nullptr;
  // Whether another observer also needs the accesses to these spaces.
  bool global = false, shared = false;
};

}  // namespace warplens::exec
