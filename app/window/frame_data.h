// Draws what ImGui::Render() made, with the OpenGL context that is current: on the screen, or into a picture.
#pragma once

#include "core/image/image.h"

namespace warplens {

void draw_frame_data(int width, int height);  // pixels
// RGB, top row first. It is drawn off screen, so that a hidden or covered window gives the same picture.
Image drawn_picture(int width, int height);

}  // namespace warplens
