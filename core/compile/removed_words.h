// What newer versions of CUDA removed from the language, for people who compile older code.
#pragma once

#include <string_view>

namespace warplens {

// A sentence that says what was removed and what takes its place, if a compiler's message is about such a
// word; else empty (CUDA 12.0 release notes; CUDA C++ Programming Guide, "Warp Shuffle Functions").
std::string_view on_removed_word(std::string_view message);

}  // namespace warplens
