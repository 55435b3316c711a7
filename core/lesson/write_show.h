// The other way than read_lesson(): a state as a `show` block of a lesson's file (docs/lessons.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace warplens::lesson {

// Its keys with their values, a line each, in the order of docs/lessons.md. `edits`, and what a student may
// do (hide, change, warnings, baseline, keep), are left out.
std::string show_lines(const Show& show);

// The text of a lesson.md in which the step that `line` (from 1) stands in shows this state. What the step's
// block says beside states (hide, change, warnings, baseline, keep, comments) stays as it was; without a
// block the step gets one behind its text. An error where the line stands in no step.
Result<std::string> with_recorded_show(std::string_view lesson, uint32_t line, const Show& show);

// Number of the step in which `line` stands, from 0; those before the first step belong to it. Empty if there
// is no step.
std::optional<size_t> step_at_line(const Lesson& lesson, uint32_t line);
// The first line, from 1, in which two texts differ; 0 if they are the same.
uint32_t first_changed_line(std::string_view before, std::string_view after);

}  // namespace warplens::lesson
