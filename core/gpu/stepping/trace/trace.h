// The warp instructions of a run, in the order in which they ran. Each is a plain value.
//
// An entry has no addresses or registers; to see them, go to that position with BlockStepper.
// docs/stepping.md says what is recorded, and how much of it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "core/gpu/exec/state/traced_run.h"
#include "core/gpu/stepping/trace/trace_limit.h"
#include "core/launch/footprint.h"
#include "core/program/program.h"

namespace warplens {

struct TraceEntry {
  uint32_t instruction = 0;  // its number in the program
  uint32_t active = 0;       // lanes of the path
  uint32_t executed = 0;     // active lanes for which the instruction's guard holds
  uint16_t warp = 0;         // index in its block
  uint8_t bytes = 0;         // of a lane's memory access; 0 if there is none
  Space space = Space::generic;
  bool operator==(const TraceEntry&) const = default;
};

// A block runs from `first` until the next turn begins. Blocks that wait for others have several turns.
struct TraceTurn {
  uint32_t launch = 0;  // index in Trace::launches
  uint64_t block = 0;   // its number in the grid, x fastest
  uint64_t first = 0;   // index in Trace::entries()
};

struct TracedLaunch {
  std::shared_ptr<const program::Program> program;
  std::string entry;
  Dim3 grid, block;
};

// The recording, stored as runs of consecutive instructions. Most runs have several, so this takes a fraction
// of the memory of the entries.
class TracedRuns {
 public:
  static constexpr size_t chunk_runs = 1 << 14;

  // Appends a chunk with room for more runs. The previous chunk is full up to `used`.
  std::span<exec::TracedRun> add_chunk();
  void finish(size_t used_of_last_chunk) { m_used = used_of_last_chunk; }
  std::vector<TraceEntry> expand(uint64_t instructions) const;

 private:
  std::vector<std::unique_ptr<exec::TracedRun[]>> m_chunks;
  size_t m_used = 0;  // of the last chunk
};

struct Trace {
  std::vector<TracedLaunch> launches;
  TracedRuns runs;
  uint64_t instructions = 0;  // that are recorded
  std::vector<TraceTurn> turns;
  bool complete = false;  // everything is recorded; otherwise the recording ends before the run

  // The instructions of all blocks, in the order in which they ran. They are built at the first call.
  const std::vector<TraceEntry>& entries() const {
    std::call_once(m_once, [this] { m_entries = runs.expand(instructions); });
    return m_entries;
  }
  std::span<const TraceEntry> of_turn(size_t turn) const {
    const uint64_t end = turn + 1 < turns.size() ? turns[turn + 1].first : instructions;
    return std::span(entries()).subspan(static_cast<size_t>(turns[turn].first),
                                        static_cast<size_t>(end - turns[turn].first));
  }

 private:
  mutable std::once_flag m_once;
  mutable std::vector<TraceEntry> m_entries;
};

}  // namespace warplens
