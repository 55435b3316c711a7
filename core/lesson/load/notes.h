// What a teacher can read of a lesson and students cannot: the right answers and the notes, next to the
// window, in a terminal, or on the key of a worksheet.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/format/lesson.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/play/stage.h"

namespace warplens::lesson {

// The right answers to the step's questions, from its solution; for a prediction, the actual outcome.
// `solved` are the facts after the solution.
std::vector<std::string> right_answers(const LessonStep& step, const Facts& solved);

// The keyboard shortcuts of a teacher, for the head of the notes.
constexpr std::string_view teaching_keys =
    "Page Down, Page Up (a clicker): next step, step before. B: dark. H: hint. R: the answers. V: the votes. "
    "N: notes.\n";

// What the class will read of a step when it comes: title and text in Markdown, with the numbers of the
// step's own run.
struct StepText {
  size_t number = 0;
  std::string title, text;
};
StepText text_of_step(Stage& stage, const Lesson& lesson, size_t number, const std::stop_token& stop = {});

// Number and title of a step, its right answers and its notes. Their numbers are those of the step's own run;
// `stage` must be made from the same folder. If a step cannot be run, they are "?".
std::string notes_of_step(Stage& stage, const Lesson& lesson, size_t step, const std::stop_token& stop = {});

}  // namespace warplens::lesson
