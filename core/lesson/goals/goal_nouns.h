// The nouns for what the names of goals count or measure, in the terms of the field.
#pragma once

#include <string_view>

namespace warplens::lesson {

// Counts have a plural, "at most 3 …", and, where other counts are compared with them, a singular, "2 for
// each …". Measured values are placed before their limit: "theoretical occupancy: at most 50 %".
struct GoalNoun {
  std::string_view name, plural, singular = {};
  bool measured = false;
  std::string_view unit = {};
};

// Null for a name without a noun, such as the numbers of the kernel.
const GoalNoun* goal_noun(std::string_view name);

}  // namespace warplens::lesson
