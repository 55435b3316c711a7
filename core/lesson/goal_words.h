// Says in the field's words what a condition of a challenge asks for: "at most 1,024 sectors loaded from
// global memory (1.1 times as many as the reference solution); yours 4,096".
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/facts.h"

namespace warplens::lesson {

// The words of a condition. A limit whose value the facts know stands as a number, with its formula in
// brackets; what the answer reached is said where it is known. A condition for which there are no words (a
// logical or, a name of a kind that goals do not have) stays as it is written.
std::string goal_words(std::string_view condition, const Facts& facts = {});

}  // namespace warplens::lesson
