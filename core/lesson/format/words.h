// Words of the format that are also names in other parts of the program. Tests compare them with those parts.
#pragma once

#include <span>
#include <string_view>

namespace warplens::lesson {

struct ViewWords {
  std::string_view name;
  std::span<const std::string_view> parts;
};
// The views that a step can show, with the parts of each.
std::span<const ViewWords> view_words();
std::span<const std::string_view> view_names();
std::span<const std::string_view> all_part_names();
// Null if there is no such view.
const ViewWords* find_view(std::string_view name);

// The plots on which a marker can be placed.
std::span<const std::string_view> plot_names();
// The names that `hide` accepts besides expressions.
std::span<const std::string_view> hidden_things();
// The names that `change` accepts besides numbers of the kernel.
std::span<const std::string_view> changeable_things();

}  // namespace warplens::lesson
