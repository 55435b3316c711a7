#include "app/views/launch/panel/offered_code_panel.h"

#include <imgui.h>

#include "app/state/code/offered_code.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

void choose(const OfferedCode& code, Actions& actions) {
  actions.push(EditSource{code.text});
  actions.push(RunSource{});
}

}  // namespace

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
    if (chip(offered[i].chosen ? "Chosen" : "Choose this", offered[i].chosen)) choose(offered[i], actions);
    ImGui::PopID();
  }
  ImGui::Dummy({0, scaled(4)});
}

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
    if (chip(offered[i].label + "###version" + std::to_string(i), offered[i].chosen))
      choose(offered[i], actions);
  }
  ImGui::Dummy({0, scaled(4)});
}

}  // namespace warplens
