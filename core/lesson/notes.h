// What the teacher reads of a lesson and the class does not: the right answers and the notes, beside the
// window, in a terminal, or on the key of a worksheet.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/facts.h"
#include "core/lesson/lesson.h"
#include "core/lesson/stage.h"

namespace warplens::lesson {

// Markdown as plain words: marks of emphasis and code are left out, pictures too.
std::string plain_words(std::string_view text);

// The right answers to the step's questions, as its solution says them; of a prediction, what came out.
// `solved` are the facts after the solution.
std::vector<std::string> right_answers(const LessonStep& step, const Facts& solved);

// The keys of a teacher, for the head of the notes.
constexpr std::string_view teaching_keys =
    "Page Down, Page Up (a clicker): next step, step before. B: dark. H: hint. R: the answers. N: notes.\n";

// Number and title of a step, its right answers and what its notes say. Their numbers are those of the step's
// own run, for which `stage` has to be made of the same folder. A step that cannot be run has "?" in their
// place.
std::string notes_of_step(Stage& stage, const Lesson& lesson, size_t step, const std::stop_token& stop = {});

}  // namespace warplens::lesson
