// Says in the field's words what a condition of a challenge asks for: "at most 1,024 sectors loaded from
// global memory (1.1 times as many as the reference solution); yours 4,096".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/lesson/facts.h"
#include "core/lesson/goal_tree.h"
#include "core/lesson/lesson.h"

namespace warplens::lesson {

// The words of a condition. A limit whose value the facts know stands as a number, with its formula in
// brackets; what the answer reached is said where it is known. A condition for which there are no words (a
// logical or, a name of a kind that goals do not have) stays as it is written.
std::string goal_words(std::string_view condition, const Facts& facts = {});
// The same of a goal that may have words of its own: then these, and what the answer reached.
std::string goal_words(const Condition& goal, const Facts& facts = {});

// A number with % behind it in the words of a goal, where none of them is a limit of its condition. Empty
// where all is well, or where no limit is written as a number.
std::optional<double> percent_beside(const GoalTree& condition, std::string_view words);

// What was reached and what is allowed, where a goal is one comparison of two numbers that are known.
struct GoalSides {
  double reached = 0, limit = 0;
};
std::optional<GoalSides> goal_sides(std::string_view condition, const Facts& facts);

}  // namespace warplens::lesson
