// The sizes of a challenge: its fixed cases, and those that are drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/format/challenge.h"
#include "core/lesson/format/markdown.h"

namespace warplens::lesson {

// "n = 1, 31; block = 32" → two cases.
std::vector<Case> cases_in(const Placed& line, Mistakes& mistakes);
// A line of ```cases: cases, "hidden 6: …", "orders: …" or "data: …".
void read_case_line(const Placed& line, Challenge& challenge, Mistakes& mistakes);

// The fixed cases and those that this seed draws.
std::vector<Case> all_cases(const Challenge& challenge, uint64_t seed);

// "n = 33, block (32, 1, 1)"
std::string text_of(const Case& at);

// Whether the report has faults or findings of this kind.
bool is_incident_kind(std::string_view name);

}  // namespace warplens::lesson
