// What the judge said, as text and JSON; and back from JSON, when a process of its own has judged.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json/json.h"
#include "core/lesson/judge.h"

namespace warplens::lesson {

// Stable names; see docs/grading.md.
ReportJson judged_json(const Judged& judged, const Challenge& challenge, const std::string& file);
std::string judged_text(const Judged& judged, const Challenge& challenge, const std::string& file);
// A line of judged_text: whether a condition of the stars is reached, and what is asked for.
std::string goal_text(const GoalResult& goal);
// What a table needs of it: reason, kind, message, stars, case, wrong element, goals, counts and times.
Result<Judged> judged_from_json(std::string_view text);

// "★★☆"
std::string stars_text(uint32_t stars);
std::optional<Reason> reason_from(std::string_view name);

}  // namespace warplens::lesson
