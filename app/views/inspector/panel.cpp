#include "app/views/inspector/panel.h"

#include "app/widgets/widgets.h"

namespace warplens {

namespace {

InspectorInput input_of(const AppState& state) {
  InspectorInput input;
  input.result = state.result.get();
  input.shown = state.selection.shown();
  if (state.kernel != nullptr && state.result && state.result->request &&
      state.kernel->name == state.result->request->kernel)
    input.kernel = state.kernel;
  input.footprint = state.footprint.get();
  if (!state.footprint && state.footprint_wanted)
    input.footprint_message = state.footprint_error.empty()
                                  ? "Replaying its block to see what it reads and writes…"
                                  : "What it reads and writes is not known: " + state.footprint_error;
  return input;
}

}  // namespace

void draw_inspector(const AppState& state, InspectorPanelState& own, Actions&) {
  own.textures.collect();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const InspectorInput input = input_of(state);
  const InspectorKey key{state.result, state.footprint, input.shown, input.footprint_message};
  const auto view = own.view.get(key, true, [&] { return inspect(input); });
  if (!view) return quiet_text(own.view.why_not("This view"));
  Picture picture;
  picture.width = room.x;
  const float bottom = draw_inspector_view(picture, window_style(), {0, 0, room.x, room.y}, *view);
  picture.height = bottom;
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  picture_areas(picture, origin);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room.x, bottom});  // longer than the panel: it scrolls
}

}  // namespace warplens
