// Where the panels dock at first, by the room there is for words: five places in a wide window, two columns
// of tabs where the text is large or the window small.
#pragma once

#include <imgui.h>

namespace warplens {

struct LayoutMemory {
  bool built = false;  // by us, or found in the kept layout
  bool ours = false;   // nobody has moved a panel since we built it
  bool compact = false;
  float text_scale = 0;  // that it was built for
  ImVec2 size{0, 0};
  float side = 0;  // width of the left column that it was built with
};

// Words per width and height decide, not pixels.
bool is_compact(ImVec2 room, float text_scale);

// Builds or rebuilds the default layout of this dock space where it has to be: at first, on demand, and when
// text size or room changed while it was still ours.
void keep_layout(ImGuiID dock_space, ImVec2 room, float text_scale, bool reset, LayoutMemory& memory);

}  // namespace warplens
