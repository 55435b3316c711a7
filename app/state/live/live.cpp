// Live mode of the Image view.
#include "app/state/parts/live.h"

#include "app/state/live/live_motion.h"
#include "app/state/reducers/live.h"
#include "app/state/reducers/runs.h"

namespace warplens {

bool live_moves(const AppState& state) {
  // Without a live picture, there is nothing to wait for.
  if (!state.live.on || state.frame.view != View::image || !state.live.report.shown) return false;
  return state.live.playing || state.frame.now_s - state.live.changed_s < live_settle_s;
}

namespace detail {

void apply(AppState& state, const SetLive& action) {
  if (action.on == state.live.on) return;
  state.live.on = action.on;
  state.live.report = {};
  // A kernel with a clock plays at once; other numbers wait for the pointer.
  state.live.playing = action.on && !state.frame.preferences.reduce_motion && state.setup.kernel != nullptr &&
                       motion_of(*state.setup.kernel).time != nullptr;
  state.undo.gesture_open = false;
  if (action.on) state.frame.view = View::image;
}

void apply(AppState& state, const PlayLive& action) {
  if (!state.live.on || action.playing == state.live.playing) return;
  state.live.playing = action.playing;
  state.live.changed_s = state.frame.now_s;
  state.undo.gesture_open = false;
}

void apply(LiveState& live, const LiveReported& action) {
  if (live.on) live.report = action.report;
}

void apply(AppState& state, const LiveFailed& action) {
  apply(state, SetLive{false});
  apply(state.problems, Notify{ProblemLevel::error, "The live picture ended", action.message});
}

}  // namespace detail

}  // namespace warplens
