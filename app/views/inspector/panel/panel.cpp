#include "app/views/inspector/panel/panel.h"

#include "app/views/inspector/brief.h"
#include "app/views/model/step_chip.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

InspectorInput input_of(const AppState& state) {
  InspectorInput input = inspector_input(state, state.selection.shown());
  input.lost = state.selection.lost;
  input.stale = !state.runs.now.stale_because.empty();
  input.footprint = state.footprint.replayed.get();
  if (!state.footprint.replayed && state.footprint.wanted)
    input.footprint_message = state.footprint.error.empty()
                                  ? "Replaying its block to see what it reads and writes…"
                                  : "What it reads and writes is not known: " + state.footprint.error;
  return input;
}

}  // namespace

void draw_inspector(const AppState& state, InspectorPanelState& own, Actions& actions) {
  own.picture.textures.collect();
  const InspectorInput input = input_of(state);
  const InspectorKey key{state.runs.result, state.footprint.replayed, input.shown, input.stale,
                         input.lost,        input.footprint_message};
  const auto view = own.view.get(key, true, [&] { return inspect(input); });
  if (!view) return quiet_text(own.view.why_not("This view"));
  const auto draw = [&](Picture& picture, const Style& style, Box box, bool interactive) {
    InspectorView drawn = *view;
    drawn.can_step = interactive && can_step_thread(state) && state.frame.view != View::step;
    return draw_inspector_view(picture, style, box, drawn);
  };
  const Click click = draw_scrolled({"inspector", draw}, own.picture, state, actions);
  if (click.is(ThreadVerb::step)) actions.push(StepThread{});
}

std::unique_ptr<ViewPanel> make_inspector_panel() {
  return make_panel<InspectorPanelState, draw_inspector>();
}

}  // namespace warplens
