// Hides what a lesson or a prediction asks for: a view that would show the answer is covered until the answer
// is given.
#pragma once

#include <string>
#include <vector>

#include "app/state/actions.h"
#include "app/state/state.h"
#include "app/widgets/panel.h"

namespace warplens {

// Why this view is covered; empty if it is not.
std::string veiled_because(const AppState& state, View view);
// The launch and the kernel's numbers, as far as they are not hidden: what a guess can be made from.
std::vector<std::string> given_to_guess(const AppState& state);
// Fills the current window with the figure of the view without what is asked for (the picture that `panel`
// draws hides it by itself), and below it the launch and the source, where there is room and they are not
// what is to be guessed. Where a marker is asked for on a plot of `view`, its empty plot is the figure.
void draw_veil(const AppState& state, View view, const std::string& words, ViewPanel& panel,
               Actions& actions);

}  // namespace warplens
