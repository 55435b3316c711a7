// Plays a whole lesson without a window: every step once with wrong and once with right answers.
#pragma once

#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/format/program.h"

namespace warplens::lesson {

// Whether a step shows a program: then the lesson can only be played where programs can be run.
bool has_programs(const Lesson& lesson);

// The differences from what the lesson says, each with the line of its ```solution or ```wrong, or of its
// step. Lessons with programs need `runs_program`.
std::vector<Diagnostic> play_lesson(const Folder& folder, const Lesson& lesson, RunsProgram runs_program = {},
                                    std::stop_token stop = {});

}  // namespace warplens::lesson
