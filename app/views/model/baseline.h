// The pinned baseline: a run against which every figure of the shown run has its ratio.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/state/state.h"

namespace warplens {

// Null if none is pinned, or if it is the shown run itself.
const RunRecord* baseline_of(const AppState& state);

// "1.43 × A": the figure is 1.43 times that of run A. "= A" if they are equal. Empty if there is no baseline,
// or one of the two is not known, or the ratio would be infinite.
std::string against(std::optional<double> now, std::optional<double> baseline, std::string_view label);

}  // namespace warplens
