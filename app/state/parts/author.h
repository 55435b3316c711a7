// The author's view: the file of a lesson next to the step that it describes (docs/lessons.md).
#pragma once

#include <cstdint>
#include <string>

#include "core/lesson/format/show.h"

namespace warplens {

struct AppState;

struct AuthorState {
  bool on = false;
  std::string folder;   // of the lesson that was read last; empty for one of the program
  std::string text;     // its lesson.md
  uint64_t serial = 0;  // counts the readings
  uint32_t line = 0;  // of the cursor, when the file was saved here; its step is shown once it is read again

  bool has_file() const { return !folder.empty(); }
};

// The state of the window, as a step's show block describes it. Defaults are left out.
lesson::Show show_of(const AppState& state);

}  // namespace warplens
