#include "app/views/launch/panel/panel.h"

#include "app/views/launch/panel/challenge_panel.h"
#include "app/views/launch/panel/controls_panel.h"
#include "app/views/launch/panel/figures_panel.h"
#include "app/views/launch/panel/predict_panel.h"
#include "app/views/launch/panel/strip_panel.h"
#include "app/widgets/cards.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

// What the kernel teaches is read once: after the first run it is folded.
void draw_kernel(const AppState& state, const LaunchView& view, LaunchPanelState& own, bool tight,
                 Actions& actions) {
  heading("Kernel");
  title(view.title);
  const bool folds = !tight && state.runs.result != nullptr;
  if (!folds) own.about_open = false;
  if (!tight && (!folds || own.about_open)) small_text(view.teaches);
  if (tight) hover_text(view.teaches);
  if (folds && link(own.about_open ? "less###about" : "about this kernel###about"))
    own.about_open = !own.about_open;
  if (view.arguments.empty() || view.arguments[0].control != Control::image) quiet_text(view.subject);
  for (const ArgumentRow& row : view.arguments) draw_argument(state, row, actions);
}

}  // namespace

void draw_launch(const AppState& state, LaunchPanelState& own, Actions& actions) {
  if (own.revision != state.revision) {
    own.view = launch_view(state);
    own.revision = state.revision;
  }
  const LaunchView& view = own.view;
  if (state.lesson.is_open() || !state.lesson.mistakes.empty())
    return draw_lesson(state, view, own.lesson, actions);
  if (state.challenge.is_open()) return draw_challenge(state, view, own.challenge, actions);
  // With little room for text, the words that explain are hover texts, so that the block stays in sight.
  const bool tight = ImGui::GetWindowHeight() < scaled(480);
  draw_key_figures(view);
  draw_prediction(state, own.prediction, actions);
  draw_block(state, view, actions);
  if (view.refusal) draw_card(*view.refusal, "launch", actions);  // next to its cause
  draw_grid_size(state, view, actions);
  draw_kernel(state, view, own, tight, actions);
  draw_shared(state, view, actions);
  draw_other_figures(view);
}

std::unique_ptr<ViewPanel> make_launch_panel() { return make_panel<LaunchPanelState, draw_launch>(); }

}  // namespace warplens
