// What the window's sentences about a run belong to. The Program view is about a program, every other view
// about the run of a kernel. What a run found is said only while that run is the one that is shown.
#pragma once

#include <string>

#include "app/state/state.h"

namespace warplens {

// Whether status bar and problems are about a program.
bool is_about_program(const AppState& state);

// Whether two choices run the same kernel, in whatever version of its text.
bool is_same_kernel(const Choice& a, const Choice& b);

// Whether what the newest finished run found may be said: it ran with the settings that are shown, or a run
// of the same kernel is on its way and will replace it, so that lists do not flicker under a slider.
bool speaks_of_shown_run(const AppState& state);

// "The code has errors: this is the run before." Empty unless the views show a run that does not fit the
// settings, and no other one is on its way.
std::string run_before_words(const AppState& state);

}  // namespace warplens
