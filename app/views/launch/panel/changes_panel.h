// The controls of what a lesson or a challenge lets the student change.
#pragma once

#include <vector>

#include "app/views/launch/model.h"
#include "app/widgets/panel.h"

namespace warplens {

void draw_changes_of(const AppState& state, const LaunchView& launch,
                     const std::vector<lesson::Change>& changes, Actions& actions);

}  // namespace warplens
