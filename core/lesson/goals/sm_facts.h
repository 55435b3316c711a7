// The names that expressions can use of the model of an SM (docs/lessons.md, "Expressions";
// docs/sm-model.md).
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/format/lesson.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {

// Unknown if the result is null or was not modelled.
void add_sm(Facts& facts, const std::string& prefix, const RunResult* result);

// Whether an expression in this text uses one of these names. Only then are runs modelled for it.
bool asks_for_sm(std::string_view text);
bool asks_for_sm(const Folder& folder);

}  // namespace warplens::lesson
