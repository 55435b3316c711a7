// Describes in the terms of the field what a condition of a challenge requires: "at most 1,024 sectors loaded
// from global memory (1.1 times as many as the reference solution); yours 4,096".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/expression/tree.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {

// The words of a condition. A limit whose value the facts know is written as a number, followed by its
// formula in brackets; the value of the answer is added if it is known. A condition that cannot be put into
// words (a logical or, a name that goals do not have) stays as it is written.
std::string goal_words(std::string_view condition, const Facts& facts = {});
// For a goal that may have its own words: then these words, and the value of the answer.
std::string goal_words(const Condition& goal, const Facts& facts = {});

// A number followed by % in the words of a goal that is not a limit in its condition. Empty if there is none,
// or if no limit is written as a number.
std::optional<double> percent_beside(const expression::Tree& condition, std::string_view words);

// The reached value and the limit, for a goal that is a single comparison of two known numbers.
struct GoalSides {
  double reached = 0, limit = 0;
};
std::optional<GoalSides> goal_sides(std::string_view condition, const Facts& facts);

}  // namespace warplens::lesson
