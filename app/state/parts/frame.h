// What the window shows: the view, the dialog, what is open, and how it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "app/base/palette.h"
#include "app/base/views.h"
#include "core/compile/compiler.h"
#include "core/system/capabilities.h"

namespace warplens {

// open_file to save_session are used if the desktop has no file dialog of its own.
enum class Dialog : uint8_t {
  none,
  palette,
  about,
  keys,
  open_file,
  open_picture,
  save_result,
  save_views,
  save_source,
  save_session,
  save_recording,
  manual,
  learn,
  lock_answers,
  open_lesson,  // the user's own folder
  save_hand_in,
  open_class,  // a folder of hand-ins
  class_table,
  save_class_page,
  open_link,     // by its text
  offered_link,  // one with a kernel of its own
  other_window   // is open: shall its drafts be taken?
};

// When all mistakes that can be found are looked for (docs/findings.md), in the background after a run.
enum class Looking : uint8_t { off, small_runs, always };

struct Preferences {
  Theme theme = Theme::dark;
  float text_scale = 1.0f;  // 0.8 to 2.5
  bool reduce_motion = false;
  std::string language = {};  // "de", "en"; empty for what the system says (app/base/language.h)
  bool bottom_open = false;   // Problems and Runs are shown below the views
  bool spotlight = false;     // around the pointer, in present mode
  Looking looking = Looking::small_runs;
  CompilerKind compiler = CompilerKind::what_is_there;  // of CUDA C++
  uint32_t answer_lock = 0;  // the number that a teacher locked the answers with; 0 while they are open
};
constexpr float min_text_scale = 0.8f, max_text_scale = 2.5f;

struct FrameState {
  View view = View::image;
  std::map<View, std::string> parts;  // what a view shows of what it can show, as last chosen
  uint64_t parts_set = 0;             // counts the times that a session or a lesson chose them
  Dialog dialog = Dialog::none;
  size_t manual_chapter = 0;
  bool welcome = false;           // the card of the first start is shown
  bool in_a_page = is_a_page();   // of a browser
  bool student = false;           // only lessons and challenges, until the answers are unlocked
  bool present = false;           // a single view fills the screen
  bool blank = false;             // in `present`: the screen is blank
  double presenting_since_s = 0;  // by the window's clock, or since the teacher set the timer back
  // Offered at the first start on a large screen; 0: nothing is offered.
  float proposed_text_scale = 0;
  Preferences preferences;
  double now_s = 0;  // the window's clock
  float frames_per_second = 0;
};

}  // namespace warplens
