// What the window shows (view, dialog, tour), and how.
#pragma once

#include <cstddef>
#include <cstdint>

#include "app/base/palette.h"
#include "app/base/views.h"

namespace warplens {

// open_path and save_path are used if the desktop has no file dialog of its own.
enum class Dialog : uint8_t {
  none,
  palette,
  about,
  keys,
  open_path,
  save_path,
  save_source_path,
  save_session_path,
  manual
};

struct Preferences {
  Theme theme = Theme::dark;
  float text_scale = 1.0f;  // 0.8 to 2.5
  bool reduce_motion = false;
};
constexpr float min_text_scale = 0.8f, max_text_scale = 2.5f;

struct FrameState {
  View view = View::image;
  Dialog dialog = Dialog::none;
  size_t manual_chapter = 0;
  uint32_t tour_step = 0;  // counted from 1; 0 if there is no tour
  bool present = false;    // a single view fills the screen
  bool blank = false;      // in `present`: the screen is blank
  Preferences preferences;
  double now_s = 0;  // the window's clock
  float frames_per_second = 0;
};

}  // namespace warplens
