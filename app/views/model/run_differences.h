// The differences between the runs of a list, apart from kernel and block: picture, numbers, seed, source,
// device.
#pragma once

#include <string>
#include <vector>

#include "app/state/parts/runs.h"

namespace warplens {

// One text for each run, in the list's order (newest first): "chelsea.png, n 20,000". It names what varies
// among the runs of the same kernel in the list, and is empty if nothing does. Texts of an own kernel are
// numbered from the oldest on: "text 2".
std::vector<std::string> run_differences(const std::vector<RunRecord>& runs);

}  // namespace warplens
