// The parts of the Step view's picture. Each draws from the top of its box and returns the y below it.
#pragma once

#include "app/views/step/picture.h"

namespace warplens {

float draw_step_source(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
float draw_step_warps(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      StepLayout& layout);
float draw_step_values(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
float draw_step_memory(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
// Buttons and scrubber. `step_controls_height` is what they need.
float draw_step_controls(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                         StepLayout& layout);
float step_controls_height(const Style& style, float width, const StepViewInput& input);

}  // namespace warplens
