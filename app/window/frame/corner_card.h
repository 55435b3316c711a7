// The card in the corner of the views: it takes no focus and dims nothing.
#pragma once

namespace warplens {

// Begins its window, in pixels of the screen; ImGui::End() ends it.
void begin_corner_card(const char* id, float width, float most_height);
// The distance between the card and the lower edge of the window, in pixels.
float below_corner_card();

}  // namespace warplens
