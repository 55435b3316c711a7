// Runs as they come from the worker, and their history.
#include "app/state/parts/runs.h"

#include <algorithm>

#include "app/state/learn/lesson_facts.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"

namespace warplens {

std::string run_label(uint64_t index) {
  std::string label;
  for (++index; index > 0; index = (index - 1) / 26) {
    label.insert(label.begin(), static_cast<char>('A' + (index - 1) % 26));
  }
  return label;
}

namespace detail {
namespace {

RunRecord record_of(const AppState& state, const RunFinished& action) {
  const RunResult& result = *action.result;
  RunRecord record;
  record.serial = action.serial;
  record.gesture = state.undo.gesture_open ? state.undo.gesture : 0;
  record.choice = {action.setup, result.request ? result.request->device : state.setup.device,
                   state.setup.own_kernel};
  record.finished_at_s = state.frame.now_s;
  record.status = result.status;
  record.grid = result.shape.grid;
  record.block = result.shape.block;
  record.execute_ms = result.host.execute_ms;
  record.cpu_ms = result.host.cpu_ms;
  record.time = result.time;
  record.counters = result.counters;
  if (result.counters) {
    record.sectors = global_sectors(*result.counters);
  }
  if (result.occupancy) record.occupancy_percent = result.occupancy->theoretical_percent;
  record.result = action.result;
  return record;
}

// The runs of each step of a lesson begin with A: its text calls the run before the step so, with which it
// compares.
uint64_t runs_before(const AppState& state) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return state.runs.recorded;
  const bool after_a = !step->show.baseline.empty() && state.lesson.phase == ShowPhase::step;
  return runs_of_step(state) + (after_a ? 1 : 0);
}

// All runs of one drag share one entry, which has the last of them.
void add_to_history(AppState& state, RunRecord record) {
  auto& history = state.runs.history;
  const bool same_drag = record.gesture != 0 && !history.empty() && history.front().gesture == record.gesture;
  if (same_drag) {
    record.label = history.front().label;
    history.front() = std::move(record);
    return;
  }
  record.label = run_label(runs_before(state));
  ++state.runs.recorded;
  history.insert(history.begin(), std::move(record));
  if (history.size() > max_history) history.resize(max_history);
  for (size_t i = max_kept_results; i < history.size(); ++i) history[i].result.reset();
}

void learn_resources(AppState& state, const RunFinished& action) {
  const RunResult& result = *action.result;
  if (!result.resources || !result.request) return;
  const uint32_t architecture = result.request->device.compute_capability.number();
  const std::string key = resources_key(action.setup.kernel, result.request->max_registers);
  state.setup.known_resources[{key, architecture}] = *result.resources;
}

}  // namespace

void apply(AppState& state, const CancelRun&) {
  if (cancel_judging(state)) return;
  if (state.code.wanted != 0) {
    state.code.wanted = 0;
    state.code.opening.clear();
    state.effects.add(effect::CancelRun{});
    state.runs.now.stale_because = "The compilation was cancelled";
    return;
  }
  state.effects.add(effect::CancelRun{});  // also of what is looked for in the background
  if (state.runs.now.phase != RunPhase::running && state.runs.now.wanted == 0) return;
  state.runs.now.wanted = 0;
  state.runs.now.stale_because = "The run was cancelled";
}

void apply(RunsState& runs, const RunStarted& action) {
  runs.now.phase = RunPhase::running;
  runs.now.running = action.serial;
  runs.now.blocks_done = runs.now.blocks_total = 0;
  runs.now.running_ms = 0;
}

void apply(RunsState& runs, const RunProgressed& action) {
  if (runs.now.phase != RunPhase::running || action.serial != runs.now.running) return;
  runs.now.blocks_done = action.blocks_done;
  runs.now.blocks_total = action.blocks_total;
  runs.now.running_ms = action.running_ms;
}

void apply(AppState& state, const RunFinished& action) {
  if (action.serial == state.runs.now.running) state.runs.now.phase = RunPhase::idle;
  if (action.serial != state.runs.now.wanted) return;  // superseded or cancelled
  state.runs.now.wanted = 0;
  if (!action.result) {
    state.runs.now.stale_because = "The run failed";
    return detail::apply(state.problems,
                         Notify{ProblemLevel::error, "The run failed", action.error, NoticeKind::run});
  }
  if (action.result->status == RunStatus::cancelled) {
    state.runs.now.stale_because = "The run was cancelled";
    return;
  }
  learn_resources(state, action);
  if (state.runs.result) state.runs.previous = state.runs.result;
  state.runs.result = action.result;
  state.runs.now.shown = action.serial;
  state.runs.now.stale_because.clear();
  refresh_outlook(state);
  add_to_history(state, record_of(state, action));
  find_selection(state);
  settle_prediction(state);
  go_on_with_session(state);
  go_on_showing(state);
  go_on_with_case(state);
}

// Buffers, grid and selection stay: only figures are added.
void apply(AppState& state, const RunRefined& action) {
  const auto refine = [&](RunRecord& record) {
    record.time = action.result->time;
    record.counters = action.result->counters;
    if (record.result) record.result = action.result;
  };
  const auto record = std::ranges::find(state.runs.history, action.serial, &RunRecord::serial);
  if (record != state.runs.history.end()) refine(*record);
  if (state.runs.baseline && state.runs.baseline->serial == action.serial) refine(*state.runs.baseline);
  if (action.serial == state.runs.now.shown) state.runs.result = action.result;
}

void apply(RunsState& runs, const PinBaseline& action) {
  if (action.serial == 0) return runs.baseline.reset();
  const auto run = std::ranges::find(runs.history, action.serial, &RunRecord::serial);
  if (run != runs.history.end()) runs.baseline = *run;
}

}  // namespace detail
}  // namespace warplens
