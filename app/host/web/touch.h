// Fingers on the page, as Dear ImGui hears a mouse: a tap clicks, one finger scrolls a list or drags, a
// finger that rests pins what it is on, and two fingers zoom.
#pragma once

struct GLFWwindow;

namespace warplens::host {

// For the canvas of this name, from here on.
void hear_touch(const char* canvas, GLFWwindow* window);
// Once a frame: notices that a finger rests.
void watch_touch();

}  // namespace warplens::host
