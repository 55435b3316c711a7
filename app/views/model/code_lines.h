// The lines of a source or of PTX, as views show them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// The lines without their line ends. A line that ends the text is not followed by an empty one.
std::vector<std::string_view> lines_of(std::string_view text);
// The line with each tab replaced by blanks up to the next column that is a multiple of four.
std::string without_tabs(std::string_view text);

}  // namespace warplens
