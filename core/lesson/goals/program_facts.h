// The names that expressions can use of a program that was run (docs/lessons.md, "Facts about a program").
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/format/program.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {

// Null if there is no run of the text that is shown: then all names are unknown.
void add_program(Facts& facts, const std::string& prefix, const ProgramOutcome* ran);
// Whether each line of `wanted` is a line of what was printed. Blanks at the ends of lines do not count.
bool has_lines(std::string_view printed, std::string_view wanted);

}  // namespace warplens::lesson
