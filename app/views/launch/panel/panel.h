// The Launch panel: the figures that follow from the choices, and below them block, grid, kernel and
// arguments. Of the problems it shows only why CUDA refuses a launch, next to the cause.
#pragma once

#include "app/views/launch/model.h"
#include "app/views/launch/panel/challenge_panel.h"
#include "app/views/launch/panel/predict_panel.h"
#include "app/views/launch/panel/strip_panel.h"
#include "app/widgets/panel.h"

namespace warplens {

struct LaunchPanelState {
  LaunchView view;  // of `revision`
  uint64_t revision = ~uint64_t{0};
  LessonStripState lesson;
  ChallengePanelState challenge;
  PredictionState prediction;
  bool about_open = false;  // what the kernel teaches
};

void draw_launch(const AppState& state, LaunchPanelState& own, Actions& actions);

}  // namespace warplens
