// The line at the bottom (how many problems there are and the worst of them, and how the shown run compares),
// and Problems and Runs, which open from it over the views. Where they are pinned, the views leave them room.
#pragma once

#include <imgui.h>

#include "app/widgets/panel.h"

namespace warplens {

float bottom_line_height();
void draw_bottom_line(const AppState& state, Actions& actions);

// How high Problems and Runs are, in a window with this much room for panels.
float bottom_height(ImVec2 room);

// The window with the space for Problems and Runs.
void draw_bottom_space(const AppState& state, ImVec2 position, ImVec2 size, ImGuiID space);
// A click beside it closes it. Clicks left of it, on the Launch panel, do not.
void close_bottom_by_click(const AppState& state, ImVec2 position, ImVec2 size, Actions& actions);

}  // namespace warplens
