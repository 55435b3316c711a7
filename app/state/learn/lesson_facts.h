// Facts about the window's current state, for the conditions and texts of lessons.
#pragma once

#include "app/state/state.h"
#include "core/lesson/goals/facts.h"

namespace warplens {

// The facts that expressions of a lesson can use, from what is shown.
lesson::Facts facts_of(const AppState& state);

// Whether a prediction of the lesson is still open: how the run ended, and what was wrong with it, would give
// it away.
bool outcome_is_hidden(const AppState& state);

// Since the step of the lesson began, without the run with which it compares.
uint64_t runs_of_step(const AppState& state);

// The run that is shown, if it is of what is set now; null else.
std::shared_ptr<const RunResult> run_of_now(const AppState& state);

// The answer that a click gives to a question for this kind of thing. Empty if the pick is no such thing.
std::optional<lesson::Target> target_of(const AppState& state, const Pick& pick, lesson::Target::Kind kind);

}  // namespace warplens
