// The author's view: the file of one's own lesson next to the step that it describes, with its mistakes at
// their lines (docs/lessons.md).
#pragma once

#include <imgui.h>

#include <memory>

#include "app/widgets/panel.h"

namespace warplens {

struct AuthorEditor;

struct AuthorMemory {
  std::shared_ptr<AuthorEditor> editor;  // null until the view is first shown
};

bool shows_author(const AppState& state);
// How wide its column at the right of a space of `room` pixels is.
float author_width(float room);
// Draws the column. Call it where shows_author().
void draw_author(const AppState& state, AuthorMemory& memory, ImVec2 position, ImVec2 size, Actions& actions);

}  // namespace warplens
