// Sets Dear ImGui's style from the program's colours and sizes: flat and rounded, with generous space.
#pragma once

#include "app/widgets/look.h"

namespace warplens {

// Sets colours, paddings and roundings for the look, at this text scale and the monitor's scale. Called when
// one of them changes.
void apply_theme(const Look& look, float text_scale);

}  // namespace warplens
