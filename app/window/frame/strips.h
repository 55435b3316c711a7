// The fixed parts around the panels: bars without a title, which cannot be moved.
#pragma once

#include <imgui.h>

#include <functional>

#include "app/state/state.h"

namespace warplens {

constexpr ImGuiWindowFlags fixed_flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                         ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus |
                                         ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

// A distance of the frame. It grows more slowly than large text, which needs the room.
float frame_gap(float length);

// Whether a lesson or challenge is open in a window with few lines of text: what can be had elsewhere is then
// left out of the frame (the status bar, the pickers of what the lesson has chosen).
bool leaves_room_to_read(const AppState& state);

// A rounded bar at this place; `draw` fills it.
void draw_strip(const char* id, ImVec2 position, ImVec2 size, float padding_y,
                const std::function<void()>& draw);

}  // namespace warplens
