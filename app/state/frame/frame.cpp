// What the window shows, and how.
#include "app/state/parts/frame.h"

#include <algorithm>
#include <cmath>

#include "app/state/reducers/files.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/select.h"

namespace warplens::detail {

void apply(AppState& state, const StartWindow& action) {
  state.frame.preferences = action.preferences;
  apply(state.frame, SetTextScale{action.preferences.text_scale});  // within its limits
  state.files.recent = action.recent;
  state.progress = action.progress;
  state.frame.student = action.student != 0;
  state.frame.welcome = action.welcome && !state.frame.student;
  if (state.frame.student) state.frame.preferences.answer_lock = action.student;
  if (action.view) state.frame.view = *action.view;
  if (!action.picture.empty()) {
    state.setup.launch.image_path = action.picture;
    apply(state.effects, ChoosePicture{action.picture});
  }
  state.undo.done.clear();
}

void apply(AppState& state, const ShowView& action) {
  if (state.frame.view != action.view) state.selection.hover = {};  // what was pointed at is no longer drawn
  state.frame.view = action.view;
  selection_changed(state);
}

void apply(FrameState& frame, const ShowPart& action) { frame.parts[action.view] = action.part; }

void apply(FrameState& frame, const ShowDialog& action) { frame.dialog = action.dialog; }

void apply(FrameState& frame, const ShowManual& action) {
  frame.dialog = Dialog::manual;
  frame.manual_chapter = action.chapter;
}

void apply(FrameState& frame, const ShowWelcome& action) { frame.welcome = action.on; }

void apply(FrameState& frame, const ShowBottom& action) {
  frame.preferences.bottom_open = action.on;
  if (action.on) frame.welcome = false;
}

void apply(FrameState& frame, const RestartTimer&) { frame.presenting_since_s = frame.now_s; }

void apply(FrameState& frame, const Present& action) {
  if (action.on && !frame.present) apply(frame, RestartTimer{});
  frame.present = action.on;
  frame.blank = frame.welcome = false;
}

// Only in front of a class: elsewhere one would wonder where the window went.
void apply(FrameState& frame, const Blank& action) { frame.blank = action.on && frame.present; }

void apply(FrameState& frame, const SetTheme& action) { frame.preferences.theme = action.theme; }

void apply(FrameState& frame, const SetCompiler& action) { frame.preferences.compiler = action.kind; }

void apply(FrameState& frame, const SetTextScale& action) {
  if (std::isnan(action.scale)) return;
  frame.preferences.text_scale = std::clamp(action.scale, min_text_scale, max_text_scale);
  frame.proposed_text_scale = 0;  // the user knows how
}

void apply(FrameState& frame, const SetReduceMotion& action) {
  frame.preferences.reduce_motion = action.reduce;
}

void apply(FrameState& frame, const SetSpotlight& action) { frame.preferences.spotlight = action.on; }

// The number that locked them opens them; another one does nothing.
void apply(AppState& state, const LockAnswers& action) {
  uint32_t& lock = state.frame.preferences.answer_lock;
  if (lock == 0)
    lock = action.number;
  else if (action.number == lock)
    lock = 0;
  if (lock == 0) state.frame.student = false;
  if (lock != 0) state.lesson.notes = false;
  state.lesson.refusal.clear();
}

void apply(FrameState& frame, const Tick& action) {
  frame.now_s = action.now_s;
  frame.frames_per_second = action.frames_per_second;
}

}  // namespace warplens::detail
