// What the pointer is over, what is pinned, and the block that is replayed for it.
#include "app/state/selection.h"

#include "app/state/reducers.h"

namespace warplens::detail {
namespace {

// The Memory view always shows an access. If no block is chosen, it is of the first block.
std::optional<Dim3> block_to_replay(const AppState& state) {
  if (state.selection.shown().block || state.frame.view != View::memory) return state.selection.shown().block;
  return Dim3{0, 0, 0};
}

}  // namespace

void selection_changed(AppState& state) {
  const std::optional<Dim3> block = block_to_replay(state);
  const bool can_replay =
      state.runs.result && state.runs.result->request && state.runs.result->status != RunStatus::refused;
  if (!block || !can_replay) {
    state.footprint.replayed.reset();
    state.footprint.wanted.reset();
    state.footprint.error.clear();
    return;
  }
  if (state.footprint.wanted && *state.footprint.wanted == *block) return;
  state.footprint.wanted = block;
  state.footprint.error.clear();
  if (state.footprint.replayed && !(state.footprint.replayed->block == *block))
    state.footprint.replayed.reset();
}

void apply(AppState& state, const Hover& action) {
  if (state.selection.hover == action.pick) return;
  state.selection.hover = action.pick;
  selection_changed(state);
}

void apply(AppState& state, const Pin& action) {
  state.selection.pinned = action.pick;
  selection_changed(state);
}

// Esc ends one thing at a time: a dialog, what is open over the views, a run, a pin.
void apply(AppState& state, const Unpin&) {
  if (state.frame.dialog != Dialog::none) {
    state.frame.dialog = Dialog::none;
  } else if (state.frame.welcome) {
    state.frame.welcome = false;
  } else if (state.frame.present) {
    state.frame.present = state.frame.blank = false;
  } else if (state.frame.bottom_open && !state.frame.preferences.bottom_pinned) {
    state.frame.bottom_open = false;
  } else if (state.runs.now.phase == RunPhase::running || state.code.wanted != 0) {
    apply(state, CancelRun{});
  } else {
    state.selection.pinned = {};
    selection_changed(state);
  }
}

void apply(AppState& state, const SelectProblem& action) {
  if (action.index >= state.problems.all.size()) return;
  const Problem& problem = state.problems.all[action.index];
  if (problem.in_code) {
    state.frame.view = View::code;
    return apply(state, Pin{{std::nullopt, std::nullopt, std::nullopt, problem.line}});
  }
  if (!problem.block) return;
  apply(state, Pin{{problem.block, problem.thread, std::nullopt}});
}

void apply(AppState& state, const FootprintReady& action) {
  if (action.serial != state.runs.now.shown || !state.footprint.wanted) return;
  if (!action.footprint) {
    state.footprint.error = action.error.empty() ? "This block could not be replayed." : action.error;
    return;
  }
  if (!(action.footprint->block == *state.footprint.wanted)) return;
  state.footprint.error.clear();
  state.footprint.replayed = action.footprint;
}

}  // namespace warplens::detail
