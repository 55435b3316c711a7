// Several files that were dropped or chosen at once.
#pragma once

#include <string>
#include <vector>

#include "app/state/actions.h"

namespace warplens {

// What opens them: the first one that is shown, as a kernel or a session is, and the first picture, which
// goes with it. The others are named in a message, with the reason.
std::vector<Action> to_open(const std::vector<std::string>& paths);

}  // namespace warplens
