// News of the worker: runs, resources, footprints.
#include <algorithm>

#include "app/state/update_parts.h"
#include "core/launch/steps.h"

namespace warplens::detail {
namespace {

// A point that the new result still has; the rest is let go.
void keep_valid(Pick& pick, const RunResult& result) {
  const LaunchStep* launch = result.request ? first_launch(*result.request) : nullptr;
  if (!launch) {
    pick = {};
    return;
  }
  const auto within = [](const Dim3& at, const Dim3& extent) {
    return at.x < extent.x && at.y < extent.y && at.z < extent.z;
  };
  if (pick.block && !within(*pick.block, launch->grid)) pick.block.reset();
  if (pick.thread && (!pick.block || !within(*pick.thread, launch->block))) pick.thread.reset();
  if (!pick.element) return;
  const auto& buffers = result.request->buffers;
  if (pick.element->buffer >= buffers.size()) {
    pick.element.reset();
    return;
  }
  const BufferSpec& buffer = buffers[pick.element->buffer];
  if (pick.element->index >= buffer.bytes / std::max(bytes_of(buffer.dtype), 1u)) pick.element.reset();
}

RunRecord record_of(const AppState& state, const RunFinished& action) {
  const RunResult& result = *action.result;
  RunRecord record;
  record.serial = action.serial;
  record.gesture = state.gesture_open ? state.gesture : 0;
  record.choice = {action.setup, result.request ? result.request->device : state.device, state.own_kernel};
  record.finished_at_s = state.now_s;
  record.status = result.status;
  record.grid = result.shape.grid;
  record.block = result.shape.block;
  record.execute_ms = result.host.execute_ms;
  record.cpu_ms = result.host.cpu_ms;
  record.time = result.time;
  record.counters = result.counters;
  if (result.counters) {
    record.sectors = result.counters->global_load_sectors + result.counters->global_store_sectors;
  }
  if (result.occupancy) record.occupancy_percent = result.occupancy->theoretical_percent;
  record.result = action.result;
  return record;
}

// The runs of one drag are one entry: the last.
void add_to_history(AppState& state, RunRecord record) {
  auto& history = state.history;
  const bool same_drag = record.gesture != 0 && !history.empty() && history.front().gesture == record.gesture;
  if (same_drag) {
    record.label = history.front().label;
    history.front() = std::move(record);
    return;
  }
  record.label = run_label(state.runs_recorded++);
  history.insert(history.begin(), std::move(record));
  if (history.size() > max_history) history.resize(max_history);
  for (size_t i = max_kept_results; i < history.size(); ++i) history[i].result.reset();
}

// The Memory view shows an access at once: of the first block, where none is chosen.
std::optional<Dim3> block_to_replay(const AppState& state) {
  if (state.selection.shown().block || state.view != View::memory) return state.selection.shown().block;
  return Dim3{0, 0, 0};
}

void learn_resources(AppState& state, const RunFinished& action) {
  const RunResult& result = *action.result;
  if (!result.resources || !result.request) return;
  const uint32_t architecture = result.request->device.compute_capability.number();
  const std::string key = resources_key(action.setup.kernel, result.request->max_registers);
  state.known_resources[{key, architecture}] = *result.resources;
}

}  // namespace

void apply(AppState& state, const CancelRun&) {
  if (state.code.wanted != 0) {
    state.code.wanted = 0;
    state.code.opening.clear();
    state.wishes.cancel = true;
    state.run.stale_because = "The compilation was cancelled";
    return;
  }
  if (state.run.phase != RunPhase::running && state.run.wanted == 0) return;
  state.wishes.cancel = true;
  state.run.wanted = 0;
  state.run.stale_because = "The run was cancelled";
}

void apply(AppState& state, const RunStarted& action) {
  state.run.phase = RunPhase::running;
  state.run.running = action.serial;
  state.run.blocks_done = state.run.blocks_total = 0;
  state.run.running_ms = 0;
}

void apply(AppState& state, const RunProgressed& action) {
  if (state.run.phase != RunPhase::running || action.serial != state.run.running) return;
  state.run.blocks_done = action.blocks_done;
  state.run.blocks_total = action.blocks_total;
  state.run.running_ms = action.running_ms;
}

void apply(AppState& state, const RunFinished& action) {
  if (action.serial == state.run.running) state.run.phase = RunPhase::idle;
  if (action.serial != state.run.wanted) return;  // superseded or cancelled: nobody waits for it
  state.run.wanted = 0;
  if (!action.result) {
    state.run.stale_because = "The run failed";
    return detail::apply(state, Notify{ProblemLevel::error, "The run failed", action.error});
  }
  if (action.result->status == RunStatus::cancelled) {
    state.run.stale_because = "The run was cancelled";
    return;
  }
  learn_resources(state, action);
  if (state.result) state.previous = state.result;
  state.result = action.result;
  state.run.shown = action.serial;
  state.run.stale_because.clear();
  refresh_outlook(state);
  add_to_history(state, record_of(state, action));
  keep_valid(state.selection.pinned, *state.result);
  keep_valid(state.selection.hover, *state.result);
  state.footprint.reset();
  state.footprint_wanted.reset();
  selection_changed(state);
}

// Buffers, grid and selection stay: only figures are added.
void apply(AppState& state, const RunRefined& action) {
  const auto record = std::ranges::find(state.history, action.serial, &RunRecord::serial);
  if (record != state.history.end()) {
    record->time = action.result->time;
    record->counters = action.result->counters;
    if (record->result) record->result = action.result;
  }
  if (action.serial == state.run.shown) state.result = action.result;
}

void apply(AppState& state, const ResourcesKnown& action) {
  state.known_resources[{action.kernel, action.architecture}] = action.resources;
  refresh_outlook(state);
}

void apply(AppState& state, const FootprintReady& action) {
  if (action.serial != state.run.shown || !state.footprint_wanted) return;
  if (!action.footprint) {
    state.footprint_error = action.error.empty() ? "This block could not be replayed." : action.error;
    return;
  }
  if (!(action.footprint->block == *state.footprint_wanted)) return;
  state.footprint_error.clear();
  state.footprint = action.footprint;
}

void selection_changed(AppState& state) {
  const std::optional<Dim3> block = block_to_replay(state);
  const bool can_replay = state.result && state.result->request && state.result->status != RunStatus::refused;
  if (!block || !can_replay) {
    state.footprint.reset();
    state.footprint_wanted.reset();
    state.footprint_error.clear();
    return;
  }
  if (state.footprint_wanted && *state.footprint_wanted == *block) return;
  state.footprint_wanted = block;
  state.footprint_error.clear();
  if (state.footprint && !(state.footprint->block == *block)) state.footprint.reset();
}

}  // namespace warplens::detail
