#include "app/views/model/baseline.h"

#include <fmt/format.h>

#include <cmath>

#include "app/base/format.h"

namespace warplens {

const RunRecord* baseline_of(const AppState& state) {
  const auto& baseline = state.runs.baseline;
  return baseline && baseline->serial != state.runs.now.shown ? &*baseline : nullptr;
}

std::string against(std::optional<double> now, std::optional<double> baseline, std::string_view label) {
  if (!now || !baseline || label.empty()) return "";
  if (*now == *baseline) return fmt::format("= {}", label);
  if (*baseline == 0) return "";
  return fmt::format("{} × {}", significant(*now / *baseline), label);
}

}  // namespace warplens
