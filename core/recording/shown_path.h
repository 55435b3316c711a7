// Files as people read them.
#pragma once

#include <string>
#include <string_view>

namespace warplens::recording {

// The path relative to the folder in which this process was at the first call, or as it is if that is
// shorter.
std::string shown_path(std::string_view file);

}  // namespace warplens::recording
