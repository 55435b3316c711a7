// The author's view: the file of a lesson of one's own beside the step that it describes, with its mistakes
// at their lines (docs/lessons.md).
#pragma once

#include <memory>

#include "app/widgets/panel.h"

namespace warplens {

struct AuthorEditor;

struct AuthorMemory {
  std::shared_ptr<AuthorEditor> editor;  // null until the view is first shown
};

// Draws its window where the state has it on.
void draw_author(const AppState& state, AuthorMemory& memory, Actions& actions);

}  // namespace warplens
