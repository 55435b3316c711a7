// What the names of goals count or measure, in the field's words.
#pragma once

#include <string_view>

namespace warplens::lesson {

// What is counted has a plural, "at most 3 …", and where others are set against it a singular, "2 for each
// …". What is measured stands before its limit: "theoretical occupancy: at most 50 %".
struct GoalNoun {
  std::string_view name, plural, singular = {};
  bool measured = false;
  std::string_view unit = {};
};

// Null for a name that has no words, as numbers of the kernel have none.
const GoalNoun* goal_noun(std::string_view name);

}  // namespace warplens::lesson
