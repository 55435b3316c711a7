// Names that a user may have meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// Levenshtein distance, where swapping two neighbours counts as one edit.
size_t edit_distance(std::string_view a, std::string_view b);

// At most `most` of the names, the nearest first. Case does not matter. Names that contain what was typed
// come before all others.
std::vector<std::string> nearest_names(std::string_view typed, std::span<const std::string> names,
                                       size_t most = 3);

}  // namespace warplens
