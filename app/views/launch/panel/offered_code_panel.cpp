#include "app/views/launch/panel/offered_code_panel.h"

#include <imgui.h>

#include "app/state/code/offered_code.h"
#include "app/widgets/widgets.h"

namespace warplens {

void draw_offered_code(const AppState& state, Actions& actions) {
  const std::vector<OfferedCode> offered = offered_code(state);
  if (offered.empty()) return;
  heading("Choose the code");
  small_text(
      "Here it would be typed, and a page has no compiler. Some of these are right. Type your own where "
      "WarpLens "
      "is installed.");
  for (size_t i = 0; i < offered.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    mono_text_wrapped(offered[i].label, look().palette.text);
    if (chip(offered[i].chosen ? "Chosen" : "Choose this", offered[i].chosen)) {
      actions.push(EditSource{offered[i].text});
      actions.push(RunSource{});
    }
    ImGui::PopID();
  }
  ImGui::Dummy({0, scaled(4)});
}

}  // namespace warplens
