// The effect of the actions on live mode of the Image view. update() (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// live.cpp: live mode of the Image view.
void apply(AppState& state, const SetLive& action);
void apply(AppState& state, const PlayLive& action);
void apply(LiveState& live, const LiveReported& action);
void apply(AppState& state, const LiveFailed& action);

}  // namespace warplens::detail
