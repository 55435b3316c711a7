// The figures of a launch in the window: blocks, threads, occupancy, waves.
#pragma once

#include "app/views/launch/model.h"

namespace warplens {

// They stand above the controls, two by two, so that they are seen while a control is moved.
void draw_key_figures(const LaunchView& view);
// The further figures in one line, which is never two.
void draw_other_figures(const LaunchView& view);

}  // namespace warplens
