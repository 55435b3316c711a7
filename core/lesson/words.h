// Words of the format that other parts of the program know too. Tests hold them against those parts.
#pragma once

#include <span>
#include <string_view>

namespace warplens::lesson {

struct ViewWords {
  std::string_view name;
  std::span<const std::string_view> parts;
};
// The views that a step can show, with what each can show of itself.
std::span<const ViewWords> view_words();
std::span<const std::string_view> view_names();
std::span<const std::string_view> all_part_names();
// Null if there is no such view.
const ViewWords* find_view(std::string_view name);

// The plots on which a marker can stand.
std::span<const std::string_view> plot_names();
// What `hide` can name besides expressions.
std::span<const std::string_view> hidden_things();
// What `change` can name besides numbers of the kernel.
std::span<const std::string_view> changeable_things();

}  // namespace warplens::lesson
