// The parts of the Step view's picture. Each draws from the top of its box and returns the y below it.
#pragma once

#include "app/views/step/picture.h"

namespace warplens {

float draw_step_source(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
// Breakpoints with their conditions; where the lanes of the shown warp are.
float draw_step_breakpoints(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                            StepLayout& layout);
float draw_step_paths(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      StepLayout& layout);
// The call stack of the shown lane, where a function has been called; nothing in the kernel itself.
float draw_step_stack(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      StepLayout& layout);
// At most `most` warps, with the shown one among them.
float draw_step_warps(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      uint32_t most, StepLayout& layout);
float draw_step_values(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
float draw_step_memory(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
// The shown lane: where it is, its index, what it has done.
float draw_step_thread(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout);
// The two orders of a race.
float draw_step_orders(Picture& picture, const Style& style, Box box, const StepViewInput& input);
// All buttons, and why the last move stopped, for small spaces.
float draw_step_buttons(Picture& picture, const Style& style, Box box, const StepViewInput& input);
float draw_step_message(Picture& picture, const Style& style, Box box, const StepViewInput& input);
// Buttons and scrubber. `step_controls_height` is what they need.
float draw_step_controls(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                         bool compact, StepLayout& layout);
float step_controls_height(const Style& style, float width, const StepViewInput& input, bool compact);

}  // namespace warplens
