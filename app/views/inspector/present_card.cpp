#include "app/views/inspector/present_card.h"

#include <algorithm>

#include "core/base/text_line.h"

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
  if (card.line != 0 && input.kernel != nullptr) card.code = trimmed_line_of(input.kernel->source, card.line);
  return card;
}

}  // namespace warplens
