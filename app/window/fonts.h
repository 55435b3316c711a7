// Finds and loads the program's fonts. They are packages of the system, none is shipped; where one is
// missing, the next best is taken and at last the one inside Dear ImGui.
#pragma once

#include <string>
#include <vector>

#include "app/widgets/look.h"

namespace warplens {

// The first file of the list that exists; empty: none.
std::string first_file(const std::vector<std::string>& paths);

// Loads into the current context's atlas and sets the look's fonts. Returns the families that were not found.
std::vector<std::string> load_fonts(Look& look);

}  // namespace warplens
