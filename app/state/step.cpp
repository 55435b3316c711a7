#include "app/state/step.h"

#include "app/state/reducers.h"

namespace warplens {
namespace {

bool is_block_of(const LaunchShape& shape, Dim3 at) {
  return at.x < shape.grid.x && at.y < shape.grid.y && at.z < shape.grid.z;
}

bool can_move(const StepState& step) { return step.request != nullptr && step.error.empty(); }

}  // namespace

Dim3 block_to_step(const AppState& state) {
  const RunResult& result = *state.runs.result;
  if (const auto& pinned = state.selection.pinned.block; pinned && is_block_of(result.shape, *pinned))
    return *pinned;
  if (!result.faults.empty()) return result.faults.front().block;
  return {0, 0, 0};
}

bool step_is_due(const AppState& state) {
  if (!state.runs.result || !state.runs.result->request || state.runs.now.phase == RunPhase::running)
    return false;
  if (state.runs.result->status == RunStatus::refused) return false;
  return state.step.run != state.runs.now.shown || !(state.step.block == block_to_step(state));
}

namespace detail {

void apply(AppState& state, const OpenStep& action) {
  if (!state.runs.result || !state.runs.result->request) return;
  const uint64_t serial = state.runs.next_serial++;
  const double speed = state.step.lines_per_second;
  state.step = {};
  state.step.run = state.runs.now.shown;
  state.step.request = state.runs.result->request;
  state.step.block = block_to_step(state);
  state.step.serial = serial;
  state.step.moving = true;
  state.step.lines_per_second = speed;
  StepMove first{StepMoveKind::to_position};
  first.value = action.position;
  if (const auto& thread = state.selection.pinned.thread) {
    const auto index = static_cast<uint32_t>(linear_index(*thread, state.runs.result->shape.block));
    first.warp = index / warp_lanes;
    state.step.lane = index % warp_lanes;
  }
  state.step.moves.push_back(first);
  if (action.line == 0) return;
  StepMove to_line{StepMoveKind::to_line, first.warp, action.line};
  state.step.moves.push_back(to_line);
}

void apply(StepState& step, const StepBy& action) {
  if (!can_move(step)) return;
  step.moves.push_back(action.move);
  step.moving = true;
}

void apply(StepState& step, const StepPlay& action) {
  step.playing = action.on && can_move(step);
  step.lines_per_second = action.lines_per_second;
}

void apply(StepState& step, const ShowLane& action) { step.lane = action.lane % warp_lanes; }

// What was reached in the meantime is not shown if a newer block is open.
void apply(StepState& step, const StepShown& action) {
  if (action.serial != step.serial) return;
  step.shown = action.snapshot;
  step.moving = action.more;
  if (action.snapshot->end != stepping::End::none) step.playing = false;
}

void apply(StepState& step, const StepFailed& action) {
  if (action.serial != step.serial) return;
  step.error = action.message;
  step.moving = step.playing = false;
}

}  // namespace detail
}  // namespace warplens
