// The effect of the actions on what the pointer is over, and what is pinned. update() (app/state/update.h)
// calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// selection.cpp: what the pointer is over, and what is pinned.
void apply(AppState& state, const Hover& action);
void apply(AppState& state, const Pin& action);
void apply(AppState& state, const Unpin& action);
void apply(AppState& state, const SelectProblem& action);
void apply(AppState& state, const StepToProblem& action);
void apply(AppState& state, const FootprintReady& action);
// Another kernel is chosen.
void leave_kernel(AppState& state);
// Finds what is pinned in the run that is shown from now on.
void find_selection(AppState& state);
// Requests the footprint of the selected block, or drops it.
void selection_changed(AppState& state);

}  // namespace warplens::detail
