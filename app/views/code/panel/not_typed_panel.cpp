#include "app/views/code/panel/not_typed_panel.h"

#include <imgui.h>

#include "app/state/code/offered_code.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {

void draw_not_typed(const AppState& state, Actions& actions) {
  if (!is_not_typed(state)) return;
  const std::vector<OfferedCode> offered = offered_code(state);
  if (offered.empty())
    return show_wrapped("This page has no compiler: CUDA C++ is typed where WarpLens is installed.");
  if (!state.challenge.is_open())
    return show_wrapped("This page has no compiler: choose the code beside the lesson's text.");
  show_wrapped(
      "This page has no compiler: choose one of these versions, then press Judge. Some of them are right.");
  for (size_t i = 0; i < offered.size(); ++i) {
    if (i > 0) wrap_before(chip_width(offered[i].label));
    if (chip(offered[i].label + "###version" + std::to_string(i), offered[i].chosen)) {
      actions.push(EditSource{offered[i].text});
      actions.push(RunSource{});
    }
  }
  ImGui::Dummy({0, scaled(4)});
}

}  // namespace warplens
