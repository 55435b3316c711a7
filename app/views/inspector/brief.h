// What is under the pointer, in a few lines: for the card next to the pointer.
#pragma once

#include <string>
#include <vector>

#include "app/views/inspector/model.h"

namespace warplens {

struct InspectorBrief {
  std::string heading;  // empty if there is nothing to say
  std::vector<InspectorValue> values;
  std::vector<std::string> lines;  // "block (19, 7)", …
};

// The subject of the inspector, without the replayed block.
InspectorInput inspector_input(const AppState& state, const Pick& pick);

InspectorBrief inspector_brief(const AppState& state, const Pick& pick);

// Whether the inspector has something to say of a pick: not if the pick is only a line of the source.
bool can_inspect(const Pick& pick);

}  // namespace warplens
