// Lines of code that are only read, in the window.
#pragma once

#include <imgui.h>

#include <string_view>

namespace warplens {

// A text that scrolls in both directions. `first` is the line that is seen first.
void draw_lines(const char* id, std::string_view text, ImVec2 size, size_t first = 0);

}  // namespace warplens
