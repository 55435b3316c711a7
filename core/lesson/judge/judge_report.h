// The verdict as text and JSON. Also reads the JSON back, when another process has judged.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json/json.h"
#include "core/lesson/judge/judge.h"

namespace warplens::lesson {

// Stable names; see docs/grading.md.
ReportJson judged_json(const Judged& judged, const Challenge& challenge, const std::string& file);
std::string judged_text(const Judged& judged, const Challenge& challenge, const std::string& file);
// A line of judged_text: whether a condition of the stars is reached, and what it requires.
std::string goal_text(const GoalResult& goal);
// The part that a table needs: reason, kind, message, stars, case, wrong element, goals, counts and times.
Result<Judged> judged_from_json(std::string_view text);

// "★★☆"
std::string stars_text(uint32_t stars);
std::optional<Reason> reason_from(std::string_view name);

}  // namespace warplens::lesson
