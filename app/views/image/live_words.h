// What a live picture says of itself, in words.
#pragma once

#include <string>

#include "app/state/live.h"

namespace warplens {

// Under the picture: times, rate, what crosses the bus and why. Empty before the first report.
std::string live_note(const LiveState& live);
// In the status bar, and its hover text.
std::string live_status(const LiveState& live);
std::string live_status_hint(const LiveState& live);

}  // namespace warplens
