// The strip of a lesson, in place of the Launch panel: what the student reads, below it what is asked and may
// be changed, which stays in sight, and the bar that goes from step to step.
#pragma once

#include <map>
#include <memory>

#include "app/base/draw/raster.h"
#include "app/views/launch/model.h"
#include "app/views/launch/panel/questions_panel.h"
#include "app/widgets/fitted.h"
#include "app/widgets/panel.h"
#include "app/widgets/texture.h"

namespace warplens {

struct LessonStripState {
  QuestionsState questions;
  FittedText task;       // what is asked, at the bottom
  uint64_t entered = 0;  // LessonState::entered as it was last drawn
  bool was_done = false;
  size_t hints = 0;                                               // that were drawn last,
  uint64_t hints_entered = 0;                                     // in this step
  std::shared_ptr<const LoadedLesson> of;                         // of these pictures
  std::map<std::string, std::shared_ptr<const Raster>> pictures;  // by file; null where it cannot be read
  TextureCache textures;
};

void draw_lesson(const AppState& state, const LaunchView& launch, LessonStripState& own, Actions& actions);

}  // namespace warplens
