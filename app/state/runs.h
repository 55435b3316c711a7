// What came out: the shown run, the one at work, and the history.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/setup.h"
#include "core/launch/run_result.h"

namespace warplens {

enum class RunPhase : uint8_t { idle, running };

struct RunState {
  RunPhase phase = RunPhase::idle;
  uint64_t wanted = 0;   // serial of the newest run asked for that has not come back; 0: none
  uint64_t running = 0;  // serial of the one at work
  uint64_t shown = 0;    // serial of the run that `result` belongs to
  uint64_t blocks_done = 0, blocks_total = 0;
  double running_ms = 0;      // since it started
  std::string stale_because;  // why `result` does not belong to the setup: "Block changed"; empty: it does
  double fraction() const { return blocks_total == 0 ? 0.0 : double(blocks_done) / double(blocks_total); }
};

// A finished run, as the Runs panel lists it and `restore` brings it back. Old ones keep their figures and
// give up the buffers.
struct RunRecord {
  uint64_t serial = 0;
  uint64_t gesture = 0;  // of the drag that made it; 0: none
  std::string label;     // A, B, …, Z, AA, …
  Choice choice;
  double finished_at_s = 0;  // on the window's clock
  RunStatus status = RunStatus::ok;
  Dim3 grid, block;
  double execute_ms = 0;         // measured, on this machine
  std::optional<double> cpu_ms;  // of the CPU reference, measured
  TimesUs time;                  // modelled
  std::optional<Counters> counters;
  std::optional<uint64_t> sectors;  // counted: global loads and stores
  std::optional<double> occupancy_percent;
  std::shared_ptr<const RunResult> result;  // null: given up
};

struct RunsState {
  std::shared_ptr<const RunResult> result;    // null before the first run
  std::shared_ptr<const RunResult> previous;  // the one before, for the ghost figures
  RunState now;
  std::vector<RunRecord> history;  // newest first
  // Serial of the run that the shown one is held against; empty: the one before.
  std::optional<uint64_t> compared;
  uint64_t next_serial = 1;  // of runs, sweeps and compilations
  uint64_t recorded = 0;
};
constexpr size_t max_history = 100, max_kept_results = 8;

// "A", …, "Z", "AA": the label of the n-th run, from 0.
std::string run_label(uint64_t index);

}  // namespace warplens
