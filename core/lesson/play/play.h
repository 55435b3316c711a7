// Plays a whole lesson without a window: every step once with wrong and once with right answers.
#pragma once

#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/lesson/format/lesson.h"

namespace warplens::lesson {

// The differences from what the lesson says, each with the line of its ```solution or ```wrong, or of its
// step.
std::vector<Diagnostic> play_lesson(const Folder& folder, const Lesson& lesson, std::stop_token stop = {});

}  // namespace warplens::lesson
