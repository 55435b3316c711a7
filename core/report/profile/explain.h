// A metric in words: what it is, how its figure comes about, and how far it can be trusted.
#pragma once

#include <string>

#include "core/report/profile/profile.h"

namespace warplens::profile {

// The formula of the metric with the launch's numbers: "32 * (57,344 + 0)". A fact that is not known of the
// launch keeps its name. Empty if the metric has no formula.
std::string with_numbers(const Metric& metric, const Facts& facts);

// Why the figure has its mark: where it comes from, or why it is not known. A sentence, with the note of the
// table.
std::string where_from(const Figure& figure, const Facts& facts);

}  // namespace warplens::profile
