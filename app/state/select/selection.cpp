// What the pointer is over, what is pinned, and the block that is replayed for it.
#include "app/state/parts/selection.h"

#include <string_view>
#include <utility>

#include "app/state/parts/pins.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/step.h"

namespace warplens::detail {
namespace {

// The Memory view always shows an access. If no block is chosen, it is of the first block.
std::optional<Dim3> block_to_replay(const AppState& state) {
  if (state.selection.shown().block || state.frame.view != View::memory) return state.selection.shown().block;
  return Dim3{0, 0, 0};
}

// The source in the Code view.
std::string_view shown_text(const AppState& state) {
  if (state.code.own) return state.code.text;
  if (state.setup.kernel == nullptr) return {};
  return state.setup.kernel->source.empty() ? state.setup.kernel->ptx : state.setup.kernel->source;
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
  state.selection.thing = pinned_thing(action.pick, state.runs.result.get(), shown_text(state));
  state.selection.lost.clear();
  selection_changed(state);
  answer_by_click(state, action.pick);
}

// A pixel is looked at through one kernel after the other. Anything else belongs to its kernel.
void leave_kernel(AppState& state) {
  Selection& selection = state.selection;
  const bool pixel = selection.thing.element && selection.thing.element->height > 1;
  if (!pixel) {
    selection = {};
    return;
  }
  selection.hover = {};
  selection.pinned.line = selection.thing.line = 0;
}

// What is pinned and not in this run may be in the next one, unless that is of another kernel.
void find_selection(AppState& state) {
  Selection& selection = state.selection;
  const RunResult& result = *state.runs.result;
  FoundPin found = find_pin(selection.thing, result, shown_text(state));
  selection.pinned = found.pick;
  selection.lost = std::move(found.lost);
  const bool other_kernel = result.request && result.request->kernel != selection.thing.kernel;
  if (!selection.lost.empty() && other_kernel)
    selection.thing = pinned_thing(selection.pinned, &result, shown_text(state));
  if (result.request) selection.thing.kernel = result.request->kernel;
  selection.hover = find_pin(pinned_thing(selection.hover, &result, ""), result, "").pick;
  state.footprint.replayed.reset();
  state.footprint.wanted.reset();
  selection_changed(state);
}

// Esc ends one thing at a time: a dialog, a run, a pin, what is open below the views.
void apply(AppState& state, const Unpin&) {
  if (state.frame.dialog != Dialog::none) {
    state.frame.dialog = Dialog::none;
  } else if (state.frame.welcome) {
    state.frame.welcome = false;
  } else if (state.frame.blank) {
    state.frame.blank = false;
  } else if (state.frame.present && state.selection.pinned.empty()) {
    state.frame.present = false;
  } else if (state.frame.preferences.bottom_open && !state.frame.present && state.selection.pinned.empty() &&
             state.runs.now.phase != RunPhase::running && state.code.wanted == 0) {
    state.frame.preferences.bottom_open = false;
  } else if (state.runs.now.phase == RunPhase::running || state.code.wanted != 0 || state.challenge.judging) {
    apply(state, CancelRun{});
  } else {
    state.selection.pinned = {};
    state.selection.thing = {};
    state.selection.lost.clear();
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
  if (problem.launch != 0) return apply(state.program, ChooseLaunch{problem.launch});
  if (!problem.block) return;
  Pick pick{problem.block, problem.thread, std::nullopt, 0};
  if (state.setup.kernel && problem.file == state.setup.kernel->source_name) pick.line = problem.line;
  // These views show neither a line nor a thread.
  if (state.frame.view == View::timing || state.frame.view == View::occupancy) state.frame.view = View::grid;
  apply(state, Pin{pick});
}

void apply(AppState& state, const StepToProblem& action) {
  if (action.index >= state.problems.all.size()) return;
  const Problem problem = state.problems.all[action.index];
  apply(state, SelectProblem{action.index});
  if (problem.launch != 0) return apply(state, OpenLaunch{problem.launch, View::step, true});
  const bool fault = problem.level == ProblemLevel::fault;
  if (action.in_both_orders)
    apply(state, OpenStep{0, problem.line, problem.finding});
  else
    apply(state, OpenStep{fault ? UINT64_MAX : 0, fault ? 0 : problem.line});
  apply(state, ShowView{View::step});
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
