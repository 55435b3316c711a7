// Translates fingers into Dear ImGui's mouse: a tap clicks, one finger scrolls a list or drags, a long press
// pins, and two fingers zoom.
#pragma once

struct GLFWwindow;

namespace warplens::host {

// Starts this for the canvas of this name.
void hear_touch(const char* canvas, GLFWwindow* window);
// Called once a frame: notices a long press.
void watch_touch();

}  // namespace warplens::host
