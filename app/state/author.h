// The author's view: the file of a lesson beside the step that it describes (docs/lessons.md).
#pragma once

#include <cstdint>
#include <string>

#include "core/lesson/show.h"

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

// What the window shows, as a step's show block says it. What is as it would be by itself is left out.
lesson::Show show_of(const AppState& state);

}  // namespace warplens
