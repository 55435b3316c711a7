// What is read of font files (OpenType specification, "Table Directory" and "Font Collections").
#pragma once

#include <string_view>

namespace warplens {

// The height of a face's lines in em. Dear ImGui takes the size of a font for this height. It is used to make
// the lines of all fonts line_share em high, so that the same size gives letters of the same size in each.
float lines_in_em(std::string_view bytes, int face = 0);

}  // namespace warplens
