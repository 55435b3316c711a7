// The inverse of load_lesson(): writes a state as a `show` block of a lesson's file (docs/lessons.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/lesson/format/lesson.h"

namespace warplens::lesson {

// The block's keys with their values, one per line, in the order of docs/lessons.md. `edits`, and what a
// student may do (hide, change, warnings, baseline, keep), are left out.
std::string show_lines(const Show& show);

// The text of a lesson.md in which the step that contains `line` (from 1) shows this state. The rest of the
// step's block (hide, change, warnings, baseline, keep, comments) does not change; a step without a block
// gets one after its text. It is an error if the line is in no step.
Result<std::string> with_recorded_show(std::string_view lesson, uint32_t line, const Show& show);

// The index of the step that contains `line`, from 0; lines before the first step belong to it. Empty if
// there is no step.
std::optional<size_t> step_at_line(const Lesson& lesson, uint32_t line);
// The first line, from 1, in which two texts differ; 0 if they are the same.
uint32_t first_changed_line(std::string_view before, std::string_view after);

}  // namespace warplens::lesson
