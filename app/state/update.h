// How the state changes: one function, tested without a window.
#pragma once

#include <string>

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// A state with this kernel and device chosen and a first run asked for. Unknown names are errors that list
// the known ones; empty names take the defaults (grayscale on the first device).
Result<AppState> initial_state(const std::string& kernel, const std::string& device);

void update(AppState& state, const Action& action);

// The live picture is in motion: full runs wait until it rests.
bool live_moves(const AppState& state);

// "A", …, "Z", "AA": the label of the n-th run, from 0.
std::string run_label(uint64_t index);

constexpr size_t max_undo = 200, max_history = 100, max_kept_results = 8;

}  // namespace warplens
