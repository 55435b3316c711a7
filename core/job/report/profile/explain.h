// A metric in words: what it is, how its value is computed, and how far it can be trusted.
#pragma once

#include <string>

#include "core/job/report/profile/profile.h"

namespace warplens::profile {

// The formula of the metric with the launch's numbers: "32 * (57,344 + 0)". Facts that are not known for the
// launch keep their names. Empty if the metric has no formula.
std::string with_numbers(const Metric& metric, const Facts& facts);

// Why the figure has its mark: where it comes from, or why it is not known. A sentence, followed by the note
// in the table.
std::string where_from(const Figure& figure, const Facts& facts);

// What is said below the heading of a section: why nothing is known, or how far its figures can be trusted.
// `sm` is null if the launch was not modelled.
std::string note_of(const Section& section, const SmStates* sm);

}  // namespace warplens::profile
