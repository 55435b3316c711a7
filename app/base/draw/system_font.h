// Fonts of the system, for letters that the program's own fonts lack, as in the name of a file.
#pragma once

#include <optional>
#include <string>

namespace warplens {

struct SystemFont {
  std::string path;
  int face = 0;  // its number in a collection (.ttc)
};

// The font that fontconfig prefers among those with this letter. Empty if there is none, or no fontconfig.
// The first call reads the list of fonts.
std::optional<SystemFont> system_font_with(char32_t letter);

}  // namespace warplens
