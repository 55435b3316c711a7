// The shown run, the current run, and the history.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/parts/setup.h"
#include "core/launch/run_result.h"

namespace warplens {

enum class RunPhase : uint8_t { idle, running };

struct RunState {
  RunPhase phase = RunPhase::idle;
  uint64_t wanted = 0;   // serial of the newest requested run that is not finished; 0 if none
  uint64_t running = 0;  // serial of the current run
  uint64_t shown = 0;    // serial of the run that `result` belongs to
  uint64_t blocks_done = 0, blocks_total = 0;
  double running_ms = 0;      // since it started
  std::string stale_because;  // why `result` does not fit the setup: "Block changed"; empty if it fits
  double fraction() const { return blocks_total == 0 ? 0.0 : double(blocks_done) / double(blocks_total); }
};

// A finished run, which the Runs panel lists and `restore` brings back. Old runs keep their figures but not
// their buffers.
struct RunRecord {
  uint64_t serial = 0;
  uint64_t gesture = 0;  // of the drag that started it; 0 if none
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
  std::shared_ptr<const RunResult> result;  // null for old runs
};

struct RunsState {
  std::shared_ptr<const RunResult> result;    // null before the first run
  std::shared_ptr<const RunResult> previous;  // of the previous run, for the ghost figures
  RunState now;
  std::vector<RunRecord> history;  // newest first
  // The run against which every figure has its ratio, with its result. It stays when the history forgets it.
  std::optional<RunRecord> baseline;
  uint64_t next_serial = 1;  // of runs, sweeps and compilations
  uint64_t recorded = 0;
};
constexpr size_t max_history = 100, max_kept_results = 8;

// The label of the n-th run, counted from 0: "A", …, "Z", "AA".
std::string run_label(uint64_t index);

}  // namespace warplens
