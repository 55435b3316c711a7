// A sweep as text for people, as CSV and as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/job/sweep.h"

namespace warplens {

std::string sweep_text(const Sweep& sweep);
std::string sweep_csv(const std::vector<Sweep>& sweeps);
std::string sweep_json(const std::vector<Sweep>& sweeps);

}  // namespace warplens
