// Finds and loads the program's fonts. They come from packages of the system; the program ships none. If one
// is missing, the next best is used, and finally the font inside Dear ImGui.
#pragma once

#include <string>
#include <vector>

#include "app/widgets/look.h"

namespace warplens {

// The first file of the list that exists. Empty if there is none.
std::string first_file(const std::vector<std::string>& paths);

// Loads the fonts into the atlas of the current context and sets those of the look. Returns the families
// that were not found.
std::vector<std::string> load_fonts(Look& look);

}  // namespace warplens
