// The figures of a launch in the window: blocks, threads, occupancy, waves.
#pragma once

#include "app/views/launch/model.h"

namespace warplens {

// They stand above the controls, so that they are seen while a control is moved. `tight`: a line each.
void draw_key_figures(const LaunchView& view, bool tight);
// The further figures in one line, which is never two: the controls below it must not move.
void draw_other_figures(const LaunchView& view);

}  // namespace warplens
