// The pinned thing in present mode: where it came from, the formula with its numbers, and the line of code.
#pragma once

#include <string>
#include <vector>

#include "app/views/inspector/brief.h"

namespace warplens {

struct PresentCard {
  InspectorBrief brief;
  std::vector<FormulaLine> formula;
  uint32_t line = 0;  // of the source; 0 if none is known
  std::string code;   // that line, without its indentation
};

// The line is the pinned one, or else the one that wrote the element, or else the first that reads.
PresentCard present_card(const AppState& state);

}  // namespace warplens
