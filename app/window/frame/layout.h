// The default places of the panels. The views are tabs in the centre, and the Launch panel is left of them.
// Problems and Runs come below the views, from the line at the bottom (bottom.h): side by side where there is
// room, else as tabs. The inspector is a card of the views that show what is pinned (inspector_card.h).
#pragma once

#include <imgui.h>

#include "app/base/views.h"

namespace warplens {

struct LayoutMemory {
  bool built = false;  // built by the program, or found in the saved layout
  bool ours = false;   // built by the program, and no panel was moved since then
  bool compact = false;
  float text_scale = 0;  // for which it was built
  ImVec2 size{0, 0};
  float side = 0;      // width of the left column when it was built
  bool reads = false;  // the left column has the width for a text to read
};

// It depends on how much text fits, not on pixels.
bool is_compact(ImVec2 room, float text_scale);

// Builds the default layout of this space: at the start, on request, and again when the text size or the
// room changes while the user has not moved a panel. `reads` says that the left column has a lesson or a
// challenge: it is wider then, unless the user has chosen a width.
void keep_layout(ImGuiID space, ImVec2 room, float text_scale, bool reads, bool reset, LayoutMemory& memory);

// Whether the panel is docked in this space, and neither torn off nor moved elsewhere.
bool is_docked_in(View view, ImGuiID space);

}  // namespace warplens
