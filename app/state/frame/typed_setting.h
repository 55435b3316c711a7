// A setting that is typed into the palette: "block 32x8", "grid 4 4", "block 256", "32 × 8".
#pragma once

#include <optional>
#include <string_view>

#include "app/state/frame/commands.h"

namespace warplens {

// The command that sets block or grid as typed, as their sliders do. A number by itself may be a part of a
// name, so the word is needed there; sizes without a word are a block's. It says the limits; a size beyond
// them, or one that the step of a lesson keeps, has the reason in its title and cannot be chosen. Empty if
// something else was typed.
std::optional<Command> typed_setting(const AppState& state, std::string_view typed);

}  // namespace warplens
