// What newer versions of CUDA removed from the language, and what older versions of clang lack of it.
#pragma once

#include <string_view>
#include <vector>

namespace warplens {

// Sentences, each once, that say what is missing and what takes its place, for such words in a compiler's
// messages (CUDA 12.0 release notes; CUDA C++ Programming Guide, "Warp Shuffle Functions").
std::vector<std::string_view> on_removed_words(std::string_view messages);

}  // namespace warplens
