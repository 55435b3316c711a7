#include "app/views/inspector/present_card.h"

#include <algorithm>
#include <sstream>

namespace warplens {
namespace {

uint32_t line_to_present(const AppState& state, const std::vector<ThreadAccess>& accesses) {
  if (state.selection.pinned.line != 0) return state.selection.pinned.line;
  for (const bool load : {false, true})
    for (const ThreadAccess& access : accesses)
      if ((access.kind == AccessKind::load) == load && access.space == Space::global && access.line != 0)
        return access.line;
  return 0;
}

std::string text_of_line(const std::string& source, uint32_t line) {
  std::istringstream lines(source);
  std::string text;
  for (uint32_t i = 0; i < line; ++i)
    if (!std::getline(lines, text)) return "";
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

}  // namespace

PresentCard present_card(const AppState& state) {
  const Pick& pinned = state.selection.pinned;
  PresentCard card;
  card.brief = inspector_brief(state, pinned);
  InspectorInput input = inspector_input(state, pinned);
  input.footprint = state.footprint.replayed.get();
  const InspectorView view = inspect(input);
  card.formula = view.formula;
  card.line = line_to_present(state, view.accesses);
  if (card.line != 0 && input.kernel != nullptr) card.code = text_of_line(input.kernel->source, card.line);
  return card;
}

}  // namespace warplens
