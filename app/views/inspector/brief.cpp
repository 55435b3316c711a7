#include "app/views/inspector/brief.h"

namespace warplens {
namespace {

// "13 instructions", "1 sector", "1 divergent branch".
std::string counted_words(const Figure& figure) {
  std::string label = figure.label;
  if (figure.value == "1") label.erase(label.size() - (label.ends_with("ches") ? 2 : 1));
  return figure.value + " " + label;
}

}  // namespace

InspectorInput inspector_input(const AppState& state, const Pick& pick) {
  InspectorInput input;
  input.result = state.runs.result.get();
  input.shown = pick;
  if (state.setup.kernel != nullptr && state.runs.result && state.runs.result->request &&
      state.setup.kernel->name == state.runs.result->request->kernel)
    input.kernel = state.setup.kernel;
  return input;
}

InspectorBrief inspector_brief(const AppState& state, const Pick& pick) {
  InspectorBrief brief;
  if (!can_inspect(pick)) return brief;
  const InspectorView view = inspect(inspector_input(state, pick));
  brief.heading = view.heading;
  brief.values = view.values;
  brief.lines = view.written_by;
  if (view.nobody_wrote) brief.lines = {"No thread wrote it."};
  for (const Figure& figure : view.figures) brief.lines.push_back(counted_words(figure));
  return brief;
}

bool can_inspect(const Pick& pick) { return pick.block || pick.thread || pick.element; }

}  // namespace warplens
