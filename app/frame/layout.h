// The default places of the panels. A wide window has five places; a small window, or one with large text,
// has two columns of tabs.
#pragma once

#include <imgui.h>

namespace warplens {

struct LayoutMemory {
  bool built = false;  // built by the program, or found in the saved layout
  bool ours = false;   // built by the program, and no panel was moved since then
  bool compact = false;
  float text_scale = 0;  // for which it was built
  ImVec2 size{0, 0};
  float side = 0;  // width of the left column when it was built
};

// It depends on how much text fits, not on pixels.
bool is_compact(ImVec2 room, float text_scale);

// Builds the default layout of this dock space: at the start, on request, and again when the text size or
// the room changes while the user has not moved a panel.
void keep_layout(ImGuiID dock_space, ImVec2 room, float text_scale, bool reset, LayoutMemory& memory);

}  // namespace warplens
