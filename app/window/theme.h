// Dear ImGui's style from our roles and sizes: flat, rounded, generous; none of its default greys.
#pragma once

#include "app/widgets/look.h"

namespace warplens {

// Sets colours, paddings and roundings for the look, at this text scale and the monitor's scale. Cheap;
// called when one of them changed.
void apply_theme(const Look& look, float text_scale);

}  // namespace warplens
