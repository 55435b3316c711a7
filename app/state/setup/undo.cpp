// Undo and redo of the user's choices.
#include <algorithm>

#include "app/state/reducers/code.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens::detail {
namespace {

// If the choice is of the same own kernel, the edited text stays.
KernelSetup take_own_choice(AppState& state, const Choice& choice) {
  if (!choice.own->recorded && state.setup.own_kernel && state.setup.own_kernel->name == choice.own->name &&
      state.setup.own_kernel->path == choice.own->path)
    return carried_over(*choice.own, choice.setup, *state.setup.own_kernel);
  if (choice.own->recorded && choice.own == state.setup.own_kernel) return choice.setup;
  take_own(state, choice.own);
  leave_kernel(state);
  return choice.setup;
}

void take_choice(AppState& state, const Choice& choice) {
  KernelSetup setup = choice.setup;
  if (choice.own) {
    setup = take_own_choice(state, choice);
  } else if (const auto kernel = find_kernel(choice.setup.kernel)) {
    if (state.setup.kernel != *kernel) leave_kernel(state);
    state.setup.kernel = *kernel;
    take_own(state, nullptr);
  }
  state.setup.launch = std::move(setup);
  const bool other_device =
      state.setup.device.compute_capability.number() != choice.device.compute_capability.number();
  state.setup.device = choice.device;
  state.setup.order = choice.order;
  if (choice.own && other_device) compile_again(state);
  state.undo.gesture_open = false;
}

}  // namespace

// The first step of a drag makes the undo step. The other steps belong to it.
void keep_for_undo(AppState& state, bool dragging) {
  const bool goes_on = dragging && state.undo.gesture_open;
  if (dragging && !state.undo.gesture_open) ++state.undo.gesture;
  state.undo.gesture_open = dragging;
  if (goes_on) return;
  state.undo.done.push_back(state.setup.choice());
  if (state.undo.done.size() > max_undo) state.undo.done.erase(state.undo.done.begin());
  state.undo.undone.clear();
}

void apply(UndoState& undo, const EndGesture&) { undo.gesture_open = false; }

void apply(AppState& state, const Undo&) {
  if (state.undo.done.empty()) return;
  state.undo.undone.push_back(state.setup.choice());
  const Choice choice = std::move(state.undo.done.back());
  state.undo.done.pop_back();
  take_choice(state, choice);
  setup_changed(state, "Undone");
}

void apply(AppState& state, const Redo&) {
  if (state.undo.undone.empty()) return;
  state.undo.done.push_back(state.setup.choice());
  const Choice choice = std::move(state.undo.undone.back());
  state.undo.undone.pop_back();
  take_choice(state, choice);
  setup_changed(state, "Redone");
}

void apply(AppState& state, const RestoreRun& action) {
  const auto record =
      std::find_if(state.runs.history.begin(), state.runs.history.end(),
                   [&](const RunRecord& candidate) { return candidate.serial == action.serial; });
  if (record == state.runs.history.end()) return;
  keep_for_undo(state, false);
  const RunRecord kept = *record;
  take_choice(state, kept.choice);
  if (!kept.result) return setup_changed(state, "Run " + kept.label + " restored");
  // Its result is still there: show it, and stop what is running.
  refresh_outlook(state);
  if (state.runs.now.phase == RunPhase::running) state.effects.add(effect::CancelRun{});
  state.runs.now.wanted = 0;
  state.runs.now.stale_because.clear();
  if (state.runs.result != kept.result) state.runs.previous = std::exchange(state.runs.result, kept.result);
  state.runs.now.shown = kept.serial;
  selection_changed(state);
}

}  // namespace warplens::detail
