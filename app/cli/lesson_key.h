// What is right in a step of a lesson, for the teacher: on the key of a worksheet, and beside the notes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/facts.h"
#include "core/lesson/lesson.h"

namespace warplens {

// Markdown as plain words: marks of emphasis and code are left out, pictures too.
std::string plain_words(std::string_view text);

// The right answers to the step's questions, as its solution says them; of a prediction, what came out.
// `solved` are the facts after the solution.
std::vector<std::string> right_answers(const lesson::LessonStep& step, const lesson::Facts& solved);

}  // namespace warplens
