// Texts about the live picture.
#pragma once

#include <string>

#include "app/state/parts/live.h"

namespace warplens {

// The text under the picture: times, rate, what crosses the bus and why. Empty before the first report.
std::string live_note(const LiveState& live);
// The text in the status bar, and its hover text.
std::string live_status(const LiveState& live);
std::string live_status_hint(const LiveState& live);

}  // namespace warplens
